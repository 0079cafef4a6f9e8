import { defineRefusals } from '../platform/errors/refusal_text.ts'

export const refusals = defineRefusals('books', {
  otherProgram: {
    agent: 'another accounting program is connected',
    en: 'Another accounting program is connected. Disconnect it first.',
    es: 'Hay otro programa de contabilidad conectado. Desconéctelo primero.',
  },
  otherOrganization: {
    agent: 'another company of the program is connected',
    en: 'Another company there is connected. Disconnect it first, or choose the same one.',
    es: 'Hay otra empresa conectada en ese programa. Desconéctela primero o elija la misma.',
  },
  otherCurrency: {
    agent: 'the company there uses {theirs}, not {ours}',
    en: 'The company there keeps its books in {theirs}, not in {ours}.',
    es: 'La empresa en ese programa lleva su contabilidad en {theirs}, no en {ours}.',
  },
  noAccount: {
    agent: 'must be an account in the program that fits this use',
    en: 'Choose an account.',
    es: 'Elija una cuenta.',
  },
  noDay: { agent: 'must be a date', en: 'Enter the first day.', es: 'Escriba el primer día.' },
  started: {
    agent: "the first day can't change once the sync has started",
    en: 'The first day can’t change anymore, since sending has started.',
    es: 'El primer día ya no se puede cambiar, porque el envío ya comenzó.',
  },
  notReady: {
    agent: 'choose the company and its accounts first',
    en: 'Choose the company and its accounts first.',
    es: 'Elija primero la empresa y sus cuentas.',
  },
  notTried: {
    agent: 'review the dry run of these settings first',
    en: 'Look at the dry run of these settings first.',
    es: 'Vea primero la prueba con estos ajustes.',
  },
  declined: {
    agent: 'the program denied access',
    en: 'The program denied access. Nothing was changed.',
    es: 'El programa no dio acceso. No se cambió nada.',
  },
  unreachable: {
    agent: 'the program can’t be reached now',
    en: 'The accounting program can’t be reached now. Try again in a few minutes.',
    es: 'No se puede acceder al programa de contabilidad en este momento. Inténtelo de nuevo en unos minutos.',
  },
  revoked: {
    agent: 'the program revoked access',
    en: 'The accounting program revoked access. Connect again.',
    es: 'El programa de contabilidad retiró el acceso. Conéctese de nuevo.',
  },
})
