/** icon draws one of icons.ts as the server does, and as Icon in parts.tsx does with React. It is decoration: words say the same. */
export function icon(path: string): SVGElement {
  const holder = document.createElement("template");
  holder.innerHTML = `<svg class="icon" viewBox="0 0 24 24" width="20" height="20" aria-hidden="true"><path d="${path}"/></svg>`;
  return holder.content.firstElementChild as SVGElement;
}
