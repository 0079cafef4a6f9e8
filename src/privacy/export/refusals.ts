import { explainConstraints } from '../../platform/db/refusals.ts'

explainConstraints({
  company_exports_one: {
    en: 'An archive is already being prepared. Wait until it is ready.',
    es: 'Ya se está preparando un archivo. Espere a que esté listo.',
  },
})
