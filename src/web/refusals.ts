import { defineRefusals } from '../platform/errors/refusal_text.ts'

/** Refusals of the pages themselves; all others come from the code they call. */
export const refusals = defineRefusals('web', {
  unexpected: {
    agent: 'an unexpected error occurred (reference {reference})',
    en: 'Something went wrong. Try again in a moment. If it happens again, tell us this reference: {reference}.',
    es: 'Algo salió mal. Inténtelo de nuevo en un momento. Si vuelve a pasar, díganos esta referencia: {reference}.',
  },
  starterPrice: {
    agent: 'must be the price of {name}',
    en: 'Enter a price for {name}.',
    es: 'Escriba un precio para {name}.',
  },
  unknownReviewAction: {
    agent: 'must be assign, replay or discard',
    en: 'Choose what to do with it: assign it, process it again or discard it.',
    es: 'Elija qué hacer: asignarlo, procesarlo de nuevo o descartarlo.',
  },
  maxCharge: {
    agent: 'must be an amount from 0 to {max}',
    en: 'Enter an amount from 0 to {max}.',
    es: 'Escriba un importe de 0 a {max}.',
  },
  noLogo: {
    agent: 'must be chosen first',
    en: 'Choose a logo file first.',
    es: 'Elija primero un archivo con el logotipo.',
  },
  noMailToChangeAddress: {
    agent: "this service doesn't send mail, so the address can't be changed",
    en: 'Email isn’t set up on this service, so you can’t change your address.',
    es: 'Este servicio no tiene configurado el correo, así que no puede cambiar su dirección.',
  },
  noMailToInvite: {
    agent: "this service doesn't send mail; create a link and share it",
    en: 'Email isn’t set up on this service. Create a link and share it yourself.',
    es: 'Este servicio no tiene configurado el correo. Cree un enlace y compártalo usted.',
  },
  noAreas: {
    agent: 'set at least one area to View or Edit',
    en: 'Set at least one area to View or Edit.',
    es: 'Ponga al menos un área en Ver o Editar.',
  },
  unknownAddress: {
    agent: 'must be chosen from the list',
    en: 'Choose an address from the list.',
    es: 'Elija una dirección de la lista.',
  },
  noImportFile: { agent: 'is missing; choose one', en: 'Choose a file first.', es: 'Elija primero un archivo.' },
  controlCharactersInName: {
    agent: 'has a name with control characters; rename it',
    en: 'The file name has characters that can’t be used. Rename the file, then upload it again.',
    es: 'El nombre del archivo tiene caracteres no permitidos. Cámbiele el nombre y vuelva a subirlo.',
  },
  unknownOption: {
    agent: "must be one of {options} (got ''{value}'')",
    en: 'Choose an option from the list.',
    es: 'Elija una opción de la lista.',
  },
  noExistingPolicy: {
    agent: 'must be one of {options}',
    en: 'Choose what happens to records that you already have.',
    es: 'Elija qué pasa con los registros que ya tiene.',
  },
  noDateTime: {
    agent: "must be a date and time such as 2026-06-02T09:30 (got ''{text}'')",
    en: 'Enter a date and a time.',
    es: 'Escriba una fecha y una hora.',
  },
  noVersion: {
    agent: 'is required: the version of the visit that you read',
    en: 'Reload the page, then move the visit again.',
    es: 'Vuelva a cargar la página y mueva la visita otra vez.',
  },
})
