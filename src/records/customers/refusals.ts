import { explainConstraints } from '../../platform/db/refusals.ts'
import { defineRefusals, defineWarnings } from '../../platform/errors/refusal_text.ts'

export const refusals = defineRefusals('customers', {
  archived: {
    agent: 'is {name}, archived on {day} (its jobs, quotes and invoices are kept)',
    en: 'This customer is archived: {name}. Choose another customer.',
    es: 'Este cliente está archivado: {name}. Elija otro cliente.',
  },
  merged: {
    agent: 'was merged into {name} ({id}) on {day}',
    en: 'This customer was merged into {name}. Choose that customer instead.',
    es: 'Este cliente se combinó con {name}. Elija ese cliente.',
  },
  hasActiveWork: {
    agent: 'the customer has active work; end it first with plans_cancel or job_series_end: {work}',
    en: 'This customer still has active work: {names}. End it before you archive the customer.',
    es: 'Este cliente aún tiene trabajo activo: {names}. Finalícelo antes de archivar al cliente.',
  },
  aliasDiffers: {
    agent: 'is an alias of query and differs from it; send one of them',
    en: 'Enter only one search.',
    es: 'Escriba una sola búsqueda.',
  },
  companyNameRequired: {
    agent: 'is required for a company',
    en: 'Enter the company name.',
    es: 'Escriba el nombre de la empresa.',
  },
  companyHasNoPersonName: {
    agent: 'and {last_name} belong to a contact of the company; add one in contacts, or with contacts_create',
    en: 'A company has no first or last name. Leave them empty and add the person as a contact.',
    es: 'Una empresa no lleva nombre de pila ni apellido. Déjelos en blanco y agregue a la persona como contacto.',
  },
  personNameRequired: {
    agent: 'or {last_name} is required for an individual',
    en: 'Enter a first or last name.',
    es: 'Escriba un nombre o un apellido.',
  },
  individualHasNoCompanyName: {
    agent: 'is only for companies; use {customer_type} company, or leave it out',
    en: 'Only companies have a company name. Leave it empty, or add this customer as a company.',
    es: 'Solo las empresas llevan nombre de empresa. Déjelo en blanco o agregue este cliente como empresa.',
  },
  mergeNotAllowed: {
    agent: 'only owners and office staff can merge customers, because invoices, quotes and plans move with them',
    en: 'Only owners and office staff can merge customers.',
    es: 'Solo los propietarios y la oficina pueden combinar clientes.',
  },
  mergeWithItself: {
    agent: 'is the customer itself; choose another one',
    en: 'Choose a different customer to merge with.',
    es: 'Elija otro cliente con el que combinarlo.',
  },
  tooManyTagsTogether: {
    agent: 'together the two have {count} tags, and a customer can have {max}; remove some first',
    en: 'Together they have {count} tags. A customer can have up to {max}, so remove some first.',
    es: 'Entre los dos tienen {count} etiquetas. Un cliente puede tener hasta {max}; quite algunas primero.',
  },
  tooManyFieldsTogether: {
    agent: 'together the two have {count} custom fields, and a customer can have {max}; remove some first',
    en: 'Together they have {count} custom fields. A customer can have up to {max}, so remove some first.',
    es: 'Entre los dos tienen {count} campos personalizados. Un cliente puede tener hasta {max}; quite algunos primero.',
  },
})

export const warnings = defineWarnings('customers', {
  openJobs: {
    agent:
      '{open} open {open, plural, one {job remains} other {jobs remain}}, {coming} with an upcoming visit: ' +
      'list them with jobs_list and customer_id {customer}, cancel one with jobs_cancel',
    en:
      '{open, plural, one {# open job stays} other {# open jobs stay}} as before{coming, plural, =0 {} other {, ' +
      '# with a visit ahead}}. Cancel what is no longer needed.',
    es:
      '{open, plural, one {# trabajo abierto sigue} other {# trabajos abiertos siguen}} como antes{coming, ' +
      'plural, =0 {} other {, # con una visita pendiente}}. Cancele lo que ya no haga falta.',
  },
  unpaidInvoices: {
    agent:
      '{count} unpaid {count, plural, one {invoice remains} other {invoices remain}}: ' +
      'list them with invoices_list and customer_id',
    en: '{count, plural, one {# invoice stays} other {# invoices stay}} unpaid.',
    es: '{count, plural, one {# factura sigue} other {# facturas siguen}} sin pagar.',
  },
})

explainConstraints({
  customers_external_id: {
    en: 'Another customer has this {field}. Enter a different one.',
    es: 'Otro cliente ya tiene este dato: {field}. Escriba otro.',
  },
})
