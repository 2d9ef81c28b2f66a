// The sandbox's embedded checkout: it frames a card form in every element with data-checkout. The element's other data are
// the fields; after the payment the browser goes to data-returnurl.
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
    "returnurl",
  ];
  const page = new URL("hps/embed", document.currentScript.src);
  $("[data-checkout]").each(function () {
    const address = new URL(page);
    for (const name of fields) address.searchParams.set(name, $(this).data(name) ?? "");
    const frame = document.createElement("iframe");
    frame.src = address.href;
    frame.title = "Card payment";
    $(this).empty().append(frame);
  });
})(window.jQuery);
