import type { errors as Errors, interactionPolicy as Policy, Provider as Library } from 'oidc-provider'

const warn = console.warn
// On import it warns of every Node release line that isn't a long-term one; it is tested here with the one we ship.
console.warn = () => {}
const library = await import('oidc-provider')
console.warn = warn

export const Provider: typeof Library = library.Provider
export const errors: typeof Errors = library.errors
export const interactionPolicy: typeof Policy = library.interactionPolicy
