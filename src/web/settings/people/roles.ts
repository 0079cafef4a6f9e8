import { roleName } from '../../../identity/permissions/names.ts'
import { ROLES } from '../../../identity/permissions/areas.ts'
import { say } from '../../../platform/i18n/say.ts'

/** Returns the roles as form options. */
export const roleChoices = () =>
  ROLES.map((role) => ({ value: role, label: role === 'owner' ? say`Owner: everything` : roleName(role) }))
