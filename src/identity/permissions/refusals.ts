import { defineRefusals } from '../../platform/errors/refusal_text.ts'

export const refusals = defineRefusals('permissions', {
  role: {
    agent: "must be one of {roles} (got ''{given}'')",
    en: 'Choose a role from the list.',
    es: 'Elija un rol de la lista.',
  },
  ownerAreas: {
    agent: 'cannot be set for an owner, who can always do everything',
    en: 'Owners can do everything. Choose another role to limit what this person can do.',
    es: 'Los propietarios pueden hacer todo. Elija otro rol para limitar lo que puede hacer esta persona.',
  },
})
