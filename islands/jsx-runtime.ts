/**
 * The functions that JSX becomes. Each island imports them as names of a module, which is shorter than calling properties of React's
 * CommonJS module. cmd/assets puts this file in the place of react/jsx-runtime.
 */
export { Fragment, jsx, jsxs } from "react/jsx-runtime";
