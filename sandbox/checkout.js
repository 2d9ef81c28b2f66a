// The sandbox's embedded checkout: it frames a card form in every element with data-checkout. The element's other data are
// the fields; after the payment the browser goes to data-returnurl, which is this page unless it says otherwise.
(($) => {
  const fields = [
    "amount",
    "currency",
    "reference",
    "description",
    "firstname",
    "lastname",
    "email",
    "merchantuserid",
    "publickey",
  ];
  const page = new URL("hps/embed", document.currentScript.src);
  if (!$) {
    for (const place of document.querySelectorAll("[data-checkout]"))
      place.textContent = "Load jquery.js before checkout.js.";
    return;
  }
  $("[data-checkout]").each(function () {
    const address = new URL(page);
    for (const name of fields) address.searchParams.set(name, $(this).data(name) ?? "");
    const back = new URL($(this).data("returnurl") || location.href, location.href);
    if (back.origin !== location.origin) {
      this.textContent = `data-returnurl has to be on ${location.origin}, as this page is.`;
      return;
    }
    back.hash = "";
    address.searchParams.set("returnurl", back.href);
    const frame = document.createElement("iframe");
    frame.src = address.href;
    frame.title = "Card payment";
    frame.width = "100%"; // a style of the page's own may say otherwise
    frame.height = "640";
    $(this).empty().append(frame);
  });
})(window.jQuery);
