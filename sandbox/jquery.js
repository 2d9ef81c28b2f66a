// The few calls of jQuery that checkout.js makes, for the sandbox. A provider's own checkout script wants the real one.
(() => {
  if (window.jQuery) return;
  const wrap = (nodes) => ({
    each(callback) {
      nodes.forEach((node, i) => {
        callback.call(node, i, node);
      });
      return this;
    },
    data(name) {
      return nodes[0]?.dataset[name];
    },
    empty() {
      for (const node of nodes) node.replaceChildren();
      return this;
    },
    append(child) {
      nodes[0]?.append(child);
      return this;
    },
  });
  window.jQuery = (what) => wrap(typeof what === "string" ? [...document.querySelectorAll(what)] : [what]);
})();
