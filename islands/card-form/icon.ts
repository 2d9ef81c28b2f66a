/** icon draws one of icons.gen.ts as the server does. It is decoration: the text beside it says the same. */
export function icon(path: string): SVGElement {
  const holder = document.createElement("template");
  holder.innerHTML = '<svg class="icon" viewBox="0 0 24 24" width="20" height="20" aria-hidden="true"><path/></svg>';
  const drawn = holder.content.firstElementChild as SVGElement;
  drawn.firstElementChild?.setAttribute("d", path);
  return drawn;
}
