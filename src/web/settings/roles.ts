import { roleName } from '../../access/rights/names.ts'
import { ROLES } from '../../access/rights/areas.ts'
import { say } from '../../language/say.ts'

/** Returns the roles as a form offers them. */
export const roleChoices = () =>
  ROLES.map((role) => ({ value: role, label: role === 'owner' ? say`Owner: everything` : roleName(role) }))
