import { defineRefusals } from '../../../platform/errors/refusal_text.ts'

export const refusals = defineRefusals('passwords', {
  tooShort: {
    agent: 'must have {min} to {max} characters (got {length})',
    en: 'Choose a password of {min} to {max} characters.',
    es: 'Elija una contraseña de {min} a {max} caracteres.',
  },
  tooLong: {
    agent: '{problem} (got {length})',
    en: 'Choose a password of {min} to {max} characters.',
    es: 'Elija una contraseña de {min} a {max} caracteres.',
  },
  malformed: {
    agent: 'must be well-formed Unicode',
    en: 'Choose a password of ordinary letters, numbers and symbols.',
    es: 'Elija una contraseña de letras, números y símbolos comunes.',
  },
  personal: {
    agent:
      "is too easy to guess: it uses your email address, your name or your company's name; " +
      'choose a few unrelated words',
    en:
      'This password is too easy to guess because it uses your email address, your name or your company’s name. ' +
      'Choose a few unrelated words.',
    es:
      'Esta contraseña es muy fácil de adivinar porque usa su correo, su nombre o el nombre de su empresa. ' +
      'Elija varias palabras sin relación entre sí.',
  },
  common: {
    agent: 'is too easy to guess: it is a common password, or close to one; choose a few unrelated words',
    en: 'This password is too easy to guess because it is like one that many people use. Choose a few unrelated words.',
    es:
      'Esta contraseña es muy fácil de adivinar porque se parece a una que usa mucha gente. ' +
      'Elija varias palabras sin relación entre sí.',
  },
  repetitive: {
    agent:
      'is too easy to guess: it repeats itself, or follows the alphabet, the numbers or the keyboard; ' +
      'choose a few unrelated words',
    en:
      'This password is too easy to guess because it repeats itself or follows the alphabet, ' +
      'the numbers or the keyboard. Choose a few unrelated words.',
    es:
      'Esta contraseña es muy fácil de adivinar porque se repite o sigue el orden del alfabeto, ' +
      'de los números o del teclado. Elija varias palabras sin relación entre sí.',
  },
})
