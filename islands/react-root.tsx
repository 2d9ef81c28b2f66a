/** React and the code that every island shares, in one file. */
import "./base";
import "./ui/parts";
import { type ComponentType, createElement } from "react";
import { flushSync } from "react-dom";
import { createRoot, type Root } from "react-dom/client";

/**
 * mount renders a component into host before it returns. If the component fails, then or later, mount calls failed; undefined
 * means that it failed at once.
 */
export function mount<Props extends object>(
  host: HTMLElement,
  component: ComponentType<Props>,
  props: Props,
  failed: (error: unknown) => void,
): Root | undefined {
  let broken = false;
  const root = createRoot(host, {
    onUncaughtError(error) {
      broken = true;
      failed(error);
    },
  });
  flushSync(() => root.render(createElement(component, props)));
  return broken ? undefined : root;
}
