import { defineRefusals } from '../platform/errors/refusal_text.ts'

export const refusals = defineRefusals('money', {
  decimal: {
    agent: 'must be a decimal number such as 2.5, of at most 30 digits',
    en: 'Enter a number, such as 2.5.',
    es: 'Escriba un número, como 2.5.',
  },
  decimals: {
    agent: 'must have at most {scale} decimals',
    en: 'Enter at most {scale} decimal places.',
    es: 'Escriba como máximo {scale} decimales.',
  },
  whole: { agent: 'must be a whole number', en: 'Enter a whole number.', es: 'Escriba un número entero.' },
  aboveZero: { agent: 'must be above 0', en: 'Enter a number above 0.', es: 'Escriba un número mayor que 0.' },
  atLeastZero: { agent: 'must be at least 0', en: 'Enter 0 or more.', es: 'Escriba 0 o más.' },
  price: {
    agent: 'must be at least 0; to take money off, add a line of kind discount',
    en: 'Enter 0 or more. To take money off, add a discount.',
    es: 'Escriba 0 o más. Para restar dinero, agregue un descuento.',
  },
  tooLarge: { agent: 'must be at most {max}', en: 'Enter a smaller number.', es: 'Escriba un número menor.' },
  percentTooLarge: { agent: 'must be at most {max}', en: 'Enter {max} or less.', es: 'Escriba {max} o menos.' },
  tooManyLines: {
    agent: 'must have at most {max} lines',
    en: 'Keep at most {max} lines. Remove the rest.',
    es: 'Deje como máximo {max} líneas. Quite las demás.',
  },
  discountTooLarge: {
    agent: 'must take off at most {left} cents, the rest of the subtotal',
    en: 'The discounts are more than the subtotal. Enter a smaller discount.',
    es: 'Los descuentos superan el subtotal. Escriba un descuento menor.',
  },
  totalTooLarge: {
    agent: 'must come to at most {max} cents',
    en: 'This amount is too large. Enter a smaller quantity or price.',
    es: 'Este importe es demasiado alto. Escriba una cantidad o un precio menor.',
  },
  totalTooLargeWithTax: {
    agent: 'with tax must come to at most {max} cents',
    en: 'The total with tax is too large. Enter smaller quantities or prices.',
    es: 'El total con impuestos es demasiado alto. Escriba cantidades o precios menores.',
  },
})
