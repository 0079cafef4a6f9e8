/** Templates that escape everything put into them but other templates; an attribute's value always stands in double quotes. */
export { html } from 'hono/html'
import type { html } from 'hono/html'

export type Html = ReturnType<typeof html>
