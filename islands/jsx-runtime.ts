/**
 * The functions that JSX compiles to. Each island imports them as names of a module, which takes fewer bytes than properties of React's
 * CommonJS module. cmd/assets replaces react/jsx-runtime with this file.
 */
export { Fragment, jsx, jsxs } from "react/jsx-runtime";
