import { defineRefusals } from '../../platform/errors/refusal_text.ts'

export const refusals = defineRefusals('line_items', {
  number: { agent: 'must be a number', en: 'Enter a number.', es: 'Escriba un número.' },
  decimal: {
    agent: 'must be a number or its decimal text, such as 2.5',
    en: 'Enter a number, such as 2.5.',
    es: 'Escriba un número, como 2.5.',
  },
  unknownItem: {
    agent: 'is not a live catalog item; find its id with catalog_items_list',
    en: 'This item isn’t in your catalog anymore. Choose another one.',
    es: 'Este artículo ya no está en su catálogo. Elija otro.',
  },
  kindOfItem: {
    agent: "can''t be {kind} for a catalog item of kind {itemKind}",
    en: 'A discount and an item of your catalog can’t be on the same line. Use a line for each.',
    es: 'Un descuento y un artículo de su catálogo no pueden ir en la misma línea. Use una línea para cada uno.',
  },
  name: {
    agent: 'is required without {item}',
    en: 'Enter a name, or choose an item.',
    es: 'Escriba un nombre o elija un artículo.',
  },
  price: {
    agent: 'is required without {item}',
    en: 'Enter a price, or choose an item.',
    es: 'Escriba un precio o elija un artículo.',
  },
  computed: {
    agent: 'is computed; leave it out, or send it unchanged',
    en: 'This amount is computed. Leave it out.',
    es: 'Este importe se calcula. Déjelo vacío.',
  },
  notOfDiscount: {
    agent: 'is not allowed on a discount line; leave it out',
    en: 'A discount has no quantity, unit, price or tax. Remove them.',
    es: 'Un descuento no lleva cantidad, unidad, precio ni impuesto. Quítelos.',
  },
  discountType: {
    agent: 'is required for a discount line',
    en: 'Choose whether the discount is a percentage or an amount.',
    es: 'Elija si el descuento es un porcentaje o un importe.',
  },
  discountValue: { agent: 'is required for a discount line', en: 'Enter a discount.', es: 'Escriba un descuento.' },
  onlyOfDiscount: {
    agent: 'is only for lines of kind discount',
    en: 'Only a discount line can have a discount. Add a line for it.',
    es: 'Solo una línea de descuento puede llevar un descuento. Agregue una línea para él.',
  },
})
