import { defineRefusals } from '../platform/errors/refusal_text.ts'

export const refusals = defineRefusals('approvals', {
  noneChosen: { agent: 'choose at least one', en: 'Choose at least one change.', es: 'Elija al menos un cambio.' },
  otherPlan: {
    agent: 'one of the chosen changes is not in this plan',
    en: 'One of the changes you chose isn’t in this proposal. Look at it again.',
    es: 'Uno de los cambios que eligió no está en esta propuesta. Revísela de nuevo.',
  },
  unsupported: {
    agent: 'a call that builds on another can only be approved with it',
    en: 'One of the changes you chose depends on another one. Choose that one too.',
    es: 'Uno de los cambios que eligió depende de otro. Elija también ese otro.',
  },
  proposerEnded: {
    agent: 'the connection that proposed this no longer has access; decline it',
    en: 'The connection that proposed this no longer has access. Decline the proposal.',
    es: 'La conexión que propuso esto ya no tiene acceso. Rechace la propuesta.',
  },
  noDecliningRight: {
    agent: 'this needs {scopes}',
    en: 'You don’t have permission to decline this proposal.',
    es: 'Usted no tiene permiso para rechazar esta propuesta.',
  },
  editedMeanwhile: {
    agent: 'someone else edited it in the meantime',
    en: 'Somebody else edited this meanwhile. Compare before you save.',
    es: 'Otra persona editó esto mientras tanto. Compare antes de guardar.',
  },
  tooLarge: {
    agent: 'the plan would have more than {max} bytes',
    en: 'This proposal would become too large. Make the change after you approve it.',
    es: 'Esta propuesta quedaría demasiado grande. Haga el cambio después de aprobarla.',
  },
  expired: {
    agent: 'it expired because nobody decided on it within 7 days',
    en: 'This proposal has expired, because nobody decided on it for 7 days.',
    es: 'Esta propuesta venció porque nadie decidió sobre ella en 7 días.',
  },
  decided: {
    agent: 'someone already decided on it',
    en: 'Somebody already decided on this proposal.',
    es: 'Alguien ya decidió sobre esta propuesta.',
  },
  noRight: {
    agent: "you can't approve what you may not do yourself: {why}",
    en: 'You can approve only changes that you are allowed to make yourself.',
    es: 'Solo puede aprobar cambios que usted mismo podría hacer.',
  },
})
