import { defineRefusals } from '../../platform/errors/refusal_text.ts'

export const refusals = defineRefusals('notes', {
  subjectIncomplete: {
    agent: 'is required with {other}',
    en: 'Choose the record that this note is about.',
    es: 'Elija el registro al que se refiere esta nota.',
  },
  notAuthor: {
    agent: 'only the author or an owner may change this note; write another one with notes_create',
    en: 'Only the person who wrote this note or an owner can change it. Write a new note instead.',
    es: 'Solo quien escribió esta nota o un propietario puede cambiarla. Escriba una nota nueva.',
  },
})
