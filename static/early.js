{
  const held = [];
  let timer = 0;
  const hold = (event) => {
    const { target, submitter } = event;
    if (!submitter) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    held.push(submitter);
    submitter.setAttribute("aria-busy", "true");
    if (!target.querySelector("[data-unloaded]")) timer ||= setTimeout(act, 1000);
  };
  const keep = (event) => {
    if (event.defaultPrevented) return;
    event.preventDefault();
    const { name, value } = event.submitter;
    if (name) event.target.append(Object.assign(document.createElement("input"), { type: "hidden", name, value }));
  };
  const press = (button) => {
    button.removeAttribute("aria-busy");
    button.click();
  };
  const act = () => {
    clearTimeout(timer);
    removeEventListener("submit", hold, true);
    removeEventListener("DOMContentLoaded", act);
    const last = held.pop();
    addEventListener("submit", keep);
    for (const button of held) press(button);
    removeEventListener("submit", keep);
    if (last) press(last);
  };
  addEventListener("submit", hold, true);
  addEventListener("DOMContentLoaded", act);
}
