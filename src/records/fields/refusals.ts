import { defineRefusals } from '../../platform/errors/refusal_text.ts'

export const refusals = defineRefusals('forms', {
  amount: {
    agent: "must be an amount like {example} (got ''{given}'')",
    en: 'Enter an amount, such as {example}.',
    es: 'Escriba un importe, como {example}.',
  },
  tooManyCustomFields: {
    agent: 'must have at most {max} keys (got {count})',
    en: 'Keep at most {max} custom fields. Remove the rest.',
    es: 'Deje como máximo {max} campos personalizados. Quite los demás.',
  },
  customFieldLine: {
    agent: "must have a name, a colon and a value on each line (got ''{given}'')",
    en: 'Enter a name, a colon and a value on each line, such as Gate code: 4417.',
    es: 'Escriba un nombre, dos puntos y un valor en cada línea, como Código del portón: 4417.',
  },
})
