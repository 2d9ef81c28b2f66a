const basket = JSON.parse(localStorage.getItem("basket") ?? "{}");

function paint() {
  let count = 0;
  let total = 0;
  for (const row of document.querySelectorAll(".item")) {
    const pieces = basket[row.dataset.id] ?? 0;
    row.querySelector("output").textContent = pieces;
    count += pieces;
    total += pieces * row.dataset.price;
  }
  document.querySelector("#count").textContent = `${count} items`;
  document.querySelector("#total").textContent = `$${total.toFixed(2)}`;
}

document.addEventListener("click", (event) => {
  const button = event.target.closest(".item button");
  if (!button) return;
  const { id } = button.closest(".item").dataset;
  basket[id] = Math.max(0, (basket[id] ?? 0) + (button.name === "add" ? 1 : -1));
  localStorage.setItem("basket", JSON.stringify(basket));
  paint();
});

paint();
