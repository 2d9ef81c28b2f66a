import { useLayoutEffect, useRef } from "react";

/** Kept shows a part of the server's page unchanged. */
export function Kept({ node }: { node: Element | undefined }) {
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (node) place.current?.replaceChildren(node);
  }, [node]);
  return <div ref={place} style={{ display: "contents" }} />;
}
