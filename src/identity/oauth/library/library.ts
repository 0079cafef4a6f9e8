import type { errors as Errors, interactionPolicy as Policy, Provider as Library } from 'oidc-provider'

const warn = console.warn
// On import it warns about every Node release line that isn't LTS; our tests run it on the version we ship.
console.warn = () => {}
const library = await import('oidc-provider')
console.warn = warn

export const Provider: typeof Library = library.Provider
export const errors: typeof Errors = library.errors
export const interactionPolicy: typeof Policy = library.interactionPolicy
