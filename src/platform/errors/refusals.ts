import { defineRefusals } from './refusal_text.ts'

export const refusals = defineRefusals('errors', {
  absent: {
    agent: '{what} not found',
    en: 'This isn’t here anymore. It may have been archived or deleted.',
    es: 'Esto ya no está aquí. Es posible que se haya archivado o eliminado.',
  },
  more: {
    agent: 'and {count} more',
    en: '{count, plural, one {There is # more problem.} other {There are # more problems.}}',
    es: '{count, plural, one {Hay # problema más.} other {Hay # problemas más.}}',
  },
})
