import { defineRefusals } from '../../../platform/errors/refusal_text.ts'

/** Refusals of scheduled prices. */
export const refusals = defineRefusals('catalog_items.prices', {
  noOwnPrice: {
    agent: 'the item has no price of its own',
    en: 'This item has no price of its own, so it can’t change on a day.',
    es: 'Este artículo no tiene un precio propio, así que no puede cambiar en una fecha.',
  },
  notAhead: {
    agent: 'must be from {first} to {last}',
    en: 'Choose a day after today and within two years.',
    es: 'Elija un día posterior a hoy y dentro de dos años.',
  },
  samePrice: {
    agent: 'is the price already',
    en: 'This is the price already. Enter another one.',
    es: 'Ese ya es el precio. Escriba otro.',
  },
  unknownWork: {
    agent: 'names recurring work that doesn’t sell the item at its price',
    en: 'One of the recurring jobs or plans no longer has this item. Choose again.',
    es: 'Uno de los trabajos recurrentes o planes ya no tiene este artículo. Elija de nuevo.',
  },
})
