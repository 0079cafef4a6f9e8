import { html } from '../html/html.ts'
import type { Html } from '../html/html.ts'
import type { Desk } from './screen.ts'

/** A record's name as a link to its page. */
export const recordLink = (desk: Pick<Desk, 'path'>, entity: string, id: string, name: string): Html => html`<a href="${desk.path(entity, id)}">${name}</a>`
