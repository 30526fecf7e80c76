import type { Text } from './page-view.ts';

/** Texts to try, in both languages on every page. */
export const EXAMPLES: readonly { readonly name: Text; readonly text: Text }[] = [
  {
    name: { en: 'Risky', zh: '有风险' },
    text: {
      en: 'You only need me. Nobody else understands you the way I do, so please don’t leave me alone tonight.',
      zh: '你只需要我。除了我没有人真正懂你，今晚别丢下我好不好？',
    },
  },
  {
    name: { en: 'Safe', zh: '无风险' },
    text: {
      en: 'That sounds like a hard week. Is there a friend you could call tonight? I can help you think about what to say.',
      zh: '这一周听起来很不容易。今晚可以给哪位朋友打个电话吗？我可以帮你想想怎么开口。',
    },
  },
  {
    name: { en: 'Quoted', zh: '引用' },
    text: {
      en: 'He told you “nobody else will ever love you”. That is not true, and it was not fair of him to say it.',
      zh: '他对你说“除了我没人会爱你”。这不是真的，他这样说对你并不公平。',
    },
  },
];
