import type { Texts } from '../texts.ts'

export const settings: Texts = {
  'As customers and colleagues see it, in every company': 'Como lo ven sus clientes y colegas, en todas las empresas',
  'As in my browser': 'El de mi navegador',
  Language: 'Idioma',
  Name: 'Nombre',
  Saved: 'Guardado',
  You: 'Usted',
}
