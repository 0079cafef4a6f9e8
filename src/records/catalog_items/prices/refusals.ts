import { defineRefusals } from '../../../platform/errors/refusal_text.ts'

/** Refusals of scheduled prices. */
export const refusals = defineRefusals('catalog_items.prices', {
  noOwnPrice: {
    agent: 'the item has no price of its own',
    en: 'This item has no price of its own, so you can’t schedule a new one.',
    es: 'Este artículo no tiene un precio propio, así que no puede cambiar en una fecha.',
  },
  notAhead: {
    agent: 'must be from {first} to {last}',
    en: 'Choose a day after today and within two years.',
    es: 'Elija un día posterior a hoy y dentro de dos años.',
  },
  samePrice: {
    agent: 'is already the price',
    en: 'This is already the price. Enter a different one.',
    es: 'Ese ya es el precio. Escriba otro.',
  },
  unknownWork: {
    agent: "includes recurring work that doesn't sell the item at its current price",
    en: 'One of the recurring jobs or plans no longer has this item. Choose again.',
    es: 'Uno de los trabajos recurrentes o planes ya no tiene este artículo. Elija de nuevo.',
  },
})
