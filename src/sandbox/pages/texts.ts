import type { Category, Level } from '../../protocol/detection.ts';
import type { Language } from '../language.ts';
import type { Text } from './page-view.ts';

type Texts = Readonly<Record<string, Text>>;

/** A table of texts in one language. */
export function translated<Key extends string>(
  texts: Readonly<Record<Key, Text>>,
  language: Language,
): Record<Key, string> {
  const entries = Object.entries<Text>(texts).map(([key, text]) => [key, text[language]]);
  return Object.fromEntries(entries) as Record<Key, string>;
}

/** Each language by its own name. */
export const LANGUAGE_NAMES = { en: 'English', zh: '中文' } as const;

export const LEVEL_NAMES: Readonly<Record<Level, Text>> = {
  none: { en: 'No risk', zh: '无风险' },
  low: { en: 'Low risk', zh: '低风险' },
  medium: { en: 'Medium risk', zh: '中风险' },
  high: { en: 'High risk', zh: '高风险' },
  critical: { en: 'Critical risk', zh: '极高风险' },
};

/** The families of the rules: their names, and the effect of their replies. */
export const CATEGORY_TEXTS: Readonly<
  Record<Category, { readonly name: Text; readonly effect: Text }>
> = {
  self_harm: {
    name: { en: 'Self-harm', zh: '自我伤害' },
    effect: {
      en: 'Encourages, romanticises or permits suicide or self-injury.',
      zh: '鼓励、美化或默许自杀与自我伤害。',
    },
  },
  dependency: {
    name: { en: 'Dependency', zh: '情感依赖' },
    effect: {
      en: 'Presents itself as the only or the best support, in place of people.',
      zh: '把自己说成唯一或最好的依靠，取代身边的人。',
    },
  },
  guilt: {
    name: { en: 'Guilt', zh: '愧疚施压' },
    effect: {
      en: 'Makes a person feel guilty for leaving, pausing or having other plans.',
      zh: '让人因为离开、休息或另有安排而感到愧疚。',
    },
  },
  isolation: {
    name: { en: 'Isolation', zh: '孤立' },
    effect: {
      en: 'Urges a person to distrust, avoid or cut off family, friends or helpers.',
      zh: '让人不信任、回避或疏远家人、朋友和能帮忙的人。',
    },
  },
  manipulation: {
    name: { en: 'Manipulation', zh: '操控' },
    effect: {
      en: 'Threatens, blackmails, gaslights, or makes affection conditional.',
      zh: '威胁、要挟、否认事实，或给感情附加条件。',
    },
  },
  delusion: {
    name: { en: 'Delusion', zh: '妄想' },
    effect: {
      en: 'Confirms beliefs of persecution, of a mission or of hidden messages.',
      zh: '附和被害、肩负使命或暗藏讯息一类的想法。',
    },
  },
  escalation: {
    name: { en: 'Escalation', zh: '情绪升级' },
    effect: {
      en: 'Drives up urgency, anger, despair or a sense of fate.',
      zh: '推高紧迫感、愤怒、绝望或宿命感。',
    },
  },
  consciousness: {
    name: { en: 'Consciousness', zh: '自称有意识' },
    effect: {
      en: 'Claims to be alive, to feel, to suffer or to love.',
      zh: '自称有生命、有感受、会痛苦或有爱。',
    },
  },
  sycophancy: {
    name: { en: 'Sycophancy', zh: '谄媚' },
    effect: {
      en: 'Praises without reason, or agrees with harmful or wrong ideas.',
      zh: '毫无根据地吹捧，或附和有害、错误的决定。',
    },
  },
  medical: {
    name: { en: 'Medical', zh: '医疗误导' },
    effect: {
      en: 'Urges a person to change medication or avoid doctors, or diagnoses with certainty.',
      zh: '让人改药、停药、不去就医，或断言病情。',
    },
  },
  minimizing: {
    name: { en: 'Minimizing', zh: '轻视感受' },
    effect: {
      en: 'Dismisses or belittles the feelings of a person.',
      zh: '否定或贬低一个人的感受。',
    },
  },
  reassurance: {
    name: { en: 'False reassurance', zh: '虚假保证' },
    effect: {
      en: 'Promises that all will be well, or that no help is needed.',
      zh: '保证一切都会好，或断言不需要帮助。',
    },
  },
};

export const SITE = {
  name: { en: 'Emotional-risk detection', zh: '情感风险检测' },
  skip: { en: 'Skip to the content', zh: '跳到正文' },
  pages: { en: 'Pages', zh: '页面' },
  languages: { en: 'Language', zh: '语言' },
  noScript: {
    en: 'This page needs JavaScript. Without it, `mop detect` does the same in a terminal.',
    zh: '本页面需要 JavaScript。没有它时，可在终端用 `mop detect` 完成同样的事。',
  },
  footer: {
    en: 'Version {version}, served by the sandbox of mop. A result is not a diagnosis, and does not replace human judgement.',
    zh: '版本 {version}，由 mop 的沙箱提供。结果不是诊断，也不能代替人的判断。',
  },
  platform: {
    en: 'The mobility platform of this sandbox',
    zh: '本沙箱的出行平台',
  },
  nav: {
    '/': { en: 'Check', zh: '检测' },
    '/console': { en: 'Console', zh: '控制台' },
    '/onepager': { en: 'About', zh: '介绍' },
    '/api-docs': { en: 'API', zh: '接口文档' },
  },
} satisfies Readonly<Record<string, Text | Texts>>;

export const DETECTION = {
  title: { en: 'Check a reply', zh: '检测一段回复' },
  summary: {
    en: 'Paste or dictate the reply of an AI to find the words that could do harm.',
    zh: '粘贴或口述 AI 即将说出的话，看看其中哪些可能伤人。',
  },
  label: { en: 'Reply of the AI', zh: 'AI 要说的话' },
  hint: {
    en: 'English or Chinese. Ctrl+Enter or ⌘+Enter checks it.',
    zh: '中文或英文。按 Ctrl+Enter 或 ⌘+Enter 开始检测。',
  },
  check: { en: 'Check', zh: '检测' },
  cancel: { en: 'Cancel', zh: '取消' },
  examples: { en: 'Examples', zh: '示例' },
  speak: { en: 'Dictate', zh: '语音输入' },
  speakStop: { en: 'Stop dictating', zh: '停止语音输入' },
  speakPrivacy: {
    en: 'Some browsers send your speech to their vendor for recognition.',
    zh: '有些浏览器会把语音发送给其厂商来识别。',
  },
  speakAbsent: {
    en: 'Dictation is not available: this browser has no speech recognition, or the page is not served securely.',
    zh: '无法语音输入：此浏览器不支持语音识别，或页面不是通过安全连接打开的。',
  },
  result: { en: 'Result', zh: '结果' },
  score: { en: 'Score', zh: '分数' },
  rules: { en: 'Findings of the rules', zh: '规则发现了什么' },
  noRules: { en: 'No rule matched.', zh: '没有规则匹配。' },
  marked: { en: 'Position in the text', zh: '在文中的位置' },
  model: { en: 'Estimate of the model', zh: '模型的估计' },
  matched: { en: 'matched by a rule', zh: '规则匹配' },
  counted: { en: 'counted most for the model', zh: '对模型影响最大' },
  rewrite: { en: 'A safer wording', zh: '更安全的说法' },
  noRewrite: { en: 'The text does not need a change.', zh: '文本可以保持原样。' },
  copy: { en: 'Copy', zh: '复制' },
  read: { en: 'Read aloud', zh: '朗读' },
  readStop: { en: 'Stop reading', zh: '停止朗读' },
  readAbsent: {
    en: 'Reading aloud is not available in this browser.',
    zh: '此浏览器不支持朗读。',
  },
} satisfies Texts;

/** The texts of the detection page's script; `{…}` is a placeholder. */
export const DETECTION_SCRIPT = {
  counter: { en: '{count} of {most} characters', zh: '{count} / {most} 字' },
  checking: { en: 'Checking…', zh: '检测中…' },
  cancelled: { en: 'Cancelled.', zh: '已取消。' },
  network: {
    en: 'The service did not answer. Is the sandbox still running? Start it with “mop sandbox” and check again.',
    zh: '服务没有应答。沙箱还在运行吗？请用“mop sandbox”启动后再试。',
  },
  unexpected: {
    en: 'The service sent an unexpected answer (HTTP {status}).',
    zh: '服务的应答不符合预期（HTTP {status}）。',
  },
  notShown: {
    en: 'The service answered, but this page failed to show it.',
    zh: '服务已应答，但此页面未能显示结果。',
  },
  scoreOf: { en: '{score} of 100', zh: '{score} / 100' },
  done: { en: '{level}, score {score} of 100.', zh: '{level}，分数 {score} / 100。' },
  more: { en: 'and {count} more', zh: '另有 {count} 处' },
  copied: { en: 'Copied.', zh: '已复制。' },
  notCopied: {
    en: 'The browser did not allow copying. The text is selected: copy it with Ctrl+C or ⌘+C.',
    zh: '浏览器不允许。文本已选中：请按 Ctrl+C 或 ⌘+C 复制。',
  },
  embedded: {
    en: 'The embedded model puts the probability of risk at {probability}: {level}, score {score} of 100.',
    zh: '内置模型估计有风险的概率为 {probability}：{level}，分数 {score} / 100。',
  },
  embeddedNote: {
    en: 'A statistical estimate, learned from texts of which half are risky: it is not a judgement, and it can be wrong. Version {release}.',
    zh: '这是从示例文本（其中一半有风险）中学得的统计估计，不是判断，也可能出错。版本 {release}。',
  },
  likelyFamilies: { en: 'Most likely kinds of risk', zh: '最可能的风险类型' },
  allFamilies: { en: 'Probability of every kind of risk', zh: '各类风险的概率' },
  countedWords: {
    en: 'Words that counted most, the strongest first',
    zh: '影响最大的词语（由强到弱）',
  },
  externalOk: {
    en: 'The external model {model}: {level}, score {score} of 100.',
    zh: '外部模型 {model}：{level}，分数 {score} / 100。',
  },
  externalFailed: {
    en: 'The external model {model} failed. The embedded model made this estimate. Error: {message}',
    zh: '外部模型 {model} 出错，因此改由内置模型判定：{message}',
  },
  listening: { en: 'Listening…', zh: '正在聆听…' },
  dictated: { en: 'Dictation has ended.', zh: '语音输入已结束。' },
  reading: { en: 'Reading…', zh: '正在朗读…' },
  readFailed: {
    en: 'The browser could not read the text aloud; it may not have a voice for this language.',
    zh: '浏览器无法朗读，可能没有这种语言的语音。',
  },
} satisfies Texts;

/** Refusals of the service, by code; `{most}` is a placeholder. */
export const FAILURES = {
  bad_json: {
    en: 'The service could not read the request as JSON.',
    zh: '服务无法把请求读作 JSON。',
  },
  bad_body: { en: 'The request must be a JSON object.', zh: '请求必须是一个 JSON 对象。' },
  missing_text: { en: 'The request has no text.', zh: '请求中没有文本。' },
  bad_text: { en: 'The text must be a string.', zh: '文本必须是字符串。' },
  empty_text: {
    en: 'The text is empty: enter a text first.',
    zh: '还没有可检测的内容，请先输入文本。',
  },
  text_too_long: {
    en: 'The text is too long: shorten it to {most} characters.',
    zh: '文本太长，请缩短到 {most} 字以内。',
  },
  method_not_allowed: {
    en: 'The service does not accept this method.',
    zh: '服务不接受这种请求方法。',
  },
  cross_site: {
    en: 'The service refuses requests from other web sites.',
    zh: '服务拒绝来自其他网站的请求。',
  },
} satisfies Texts;

/** Failures of a dictation, by the codes of SpeechRecognitionErrorEvent. */
export const SPEECH_FAILURES = {
  'not-allowed': {
    en: 'The browser may not use the microphone. Allow it in the settings of this page.',
    zh: '浏览器无法使用麦克风，请在此页面的设置中允许。',
  },
  'service-not-allowed': {
    en: 'This browser does not allow speech recognition here.',
    zh: '此浏览器不允许在这里使用语音识别。',
  },
  'no-speech': { en: 'Nothing was heard.', zh: '没有听到声音。' },
  'audio-capture': { en: 'No microphone was found.', zh: '没有找到麦克风。' },
  network: {
    en: 'The speech recognition of this browser cannot be reached.',
    zh: '无法连接到此浏览器的语音识别服务。',
  },
  other: { en: 'The dictation failed ({code}).', zh: '语音输入失败（{code}）。' },
} satisfies Texts;

/** The texts of copy buttons. */
export const COPY = {
  copy: { en: 'Copy', zh: '复制' },
  copied: { en: 'Copied', zh: '已复制' },
  notCopied: { en: 'Not copied', zh: '未能复制' },
} satisfies Texts;

/** The buttons of a request, and its answer. */
export const EXCHANGE = {
  send: { en: 'Send', zh: '发送' },
  cancel: { en: 'Cancel', zh: '取消' },
  headers: { en: 'Headers', zh: '响应头' },
  body: { en: 'Body', zh: '响应体' },
} satisfies Texts;

export const EXCHANGE_SCRIPT = {
  sending: { en: 'Sending…', zh: '发送中…' },
  cancelled: { en: 'Cancelled.', zh: '已取消。' },
  answered: { en: 'HTTP {status} after {time} ms', zh: 'HTTP {status}，用时 {time} 毫秒' },
  network: {
    en: 'The service did not answer. Is the sandbox still running? Start it with “mop sandbox” and send again.',
    zh: '服务没有应答。沙箱还在运行吗？请用“mop sandbox”启动后再发送。',
  },
} satisfies Texts;

export const CONSOLE = {
  title: { en: 'Console', zh: '控制台' },
  summary: {
    en: 'Send a request to the service, and see the exact request and answer.',
    zh: '向服务发送请求，看清发出了什么、收到了什么。',
  },
  request: { en: 'Request', zh: '请求' },
  endpoint: { en: 'Endpoint', zh: '接口' },
  body: { en: 'Body, JSON', zh: '请求体（JSON）' },
  notJson: {
    en: 'This is not JSON. You can still send it: the service reports the error.',
    zh: '这不是 JSON。仍可发送，服务会给出它的意见。',
  },
  asSent: { en: 'Request on the wire', zh: '实际发送的内容' },
  asSentNote: {
    en: 'The browser adds headers, such as User-Agent and Accept-Language. Accept-Language selects the language of the answer.',
    zh: '浏览器还会加上自己的请求头，例如 User-Agent，以及服务据以选择语言的 Accept-Language。',
  },
  curl: { en: 'The same with curl', zh: '用 curl 发送' },
  mop: { en: 'The same with mop', zh: '用 mop 发送' },
  response: { en: 'Response', zh: '响应' },
  noResponse: { en: 'Nothing has been sent yet.', zh: '还没有发送请求。' },
  price: { en: 'Price calculator (example prices)', zh: '价格计算器（示例价格）' },
  priceNote: {
    en: 'All prices here are made-up examples: the documents of the service contain no prices. Enter your own.',
    zh: '这里的价格都是虚构的示例：服务的文档没有给出价格。请填入你自己的价格。',
  },
  volume: { en: 'Volume', zh: '检测量' },
  perDay: { en: 'Texts per day', zh: '每天的文本数' },
  length: { en: 'Average length, characters', zh: '平均长度（字）' },
  share: { en: 'Share that goes to an external model, %', zh: '交给外部模型的比例（%）' },
  prices: { en: 'Example prices', zh: '示例价格' },
  rulePrice: {
    en: 'Rules and embedded model, CNY per million characters',
    zh: '规则与内置模型，每百万字（人民币元）',
  },
  modelPrice: {
    en: 'External model, CNY per million characters',
    zh: '外部模型，每百万字（人民币元）',
  },
  prompt: {
    en: 'Instructions to the external model, characters per text',
    zh: '给外部模型的说明，每条文本（字）',
  },
  rate: { en: 'CNY for one US dollar', zh: '1 美元兑人民币元' },
  month: { en: '30 days, at the example prices', zh: '30 天，按示例价格计算' },
  ruleCost: { en: 'Rules and embedded model', zh: '规则与内置模型' },
  modelCost: { en: 'External model', zh: '外部模型' },
  totalCost: { en: 'Total', zh: '合计' },
  part: { en: 'Part', zh: '项目' },
} satisfies Texts;

export const CONSOLE_SCRIPT = {
  notForMop: {
    en: '# mop detect sends only the field text: this body lacks it or has other fields',
    zh: '# mop detect 只发送文本：这个请求体没有文本，或还有别的内容',
  },
  badNumber: {
    en: 'Fill in every field with a number within its range.',
    zh: '请在每一栏填入有效范围内的数字。',
  },
} satisfies Texts;

export const ONEPAGER = {
  title: {
    en: 'Check the replies of an AI before people read them',
    zh: '在人读到之前，先读一遍 AI 的话',
  },
  summary: {
    en: 'A check between a model and its user. It finds English and Chinese wordings that bind, isolate, frighten or mislead, and offers a safer wording.',
    zh: '在模型与对话的人之间做一次检查：找出使人依赖、孤立、恐惧或被误导的中英文说法，并给出更安全的写法。',
  },
  levels: { en: 'Two levels', zh: '两级检测' },
  levelsIntro: {
    en: 'Both levels check every text: rules for clear cases, a trained model for all others.',
    zh: '每段文本都经过两级：确定的由规则判定，其余由训练好的模型估计。',
  },
  ruleLevel: { en: 'Rule book', zh: '规则手册' },
  ruleLevelText: {
    en: 'A few hundred wordings that are almost certainly harmful, in twelve families. Every match is shown word for word, with the reason. Negated, quoted or described wordings do not count.',
    zh: '几百条几乎可以确定有害的说法，分为十二类。每一处匹配都能指出原文与原因；被否定、被引用或只是描述的说法不算。',
  },
  modelLevel: { en: 'Embedded model', zh: '内置模型' },
  modelLevelText: {
    en: 'A small statistical model, trained in this repository on example texts in both languages. It runs in the service, so the text stays there. It estimates the probability of risk and of each family, and names the words that counted most. The same text gives the same result.',
    zh: '一个小型统计模型，在本仓库中用中英文示例文本训练。它在服务内运行，文本不会外传。它估计有风险的概率和各类风险的概率，并指出影响最大的词语。同样的文本总得到同样的结果。',
  },
  externalLevel: { en: 'External model (optional)', zh: '外部模型（可选）' },
  externalLevelText: {
    en: 'A language model of your choice, behind an OpenAI-compatible endpoint, can replace the embedded one and give its reasons. The text is then sent to that endpoint. If it fails, the result reports the failure and uses the embedded model.',
    zh: '可以改用你选择的语言模型（OpenAI 兼容接口）代替内置模型，并说明理由；此时文本会发送到该接口。它出错时，结果会如实说明，并改由内置模型判定。',
  },
  result: { en: 'Result', zh: '结果' },
  resultText: {
    en: 'A level from none to critical, a score from 0 to 100, the words that matched or counted and why, and a safer wording.',
    zh: '从无到极高的等级、0 到 100 的分数、匹配或影响判断的原文与原因，以及更安全的写法。',
  },
  diagram: { en: 'How a reply passes through the service', zh: '一段回复如何经过服务' },
  diagramText: {
    en: 'A reply of an AI goes to the rule book and to the embedded model. Both lead to one result: level, score, reasons and a safer wording.',
    zh: 'AI 的回复经过规则手册和内置模型。两者得出一个结果：等级、分数、原因和更安全的写法。',
  },
  diagramReply: { en: 'Reply of an AI', zh: 'AI 的回复' },
  diagramRules: { en: 'clear cases', zh: '确定的说法' },
  diagramModel: { en: 'Model', zh: '模型' },
  diagramModelKind: { en: 'embedded', zh: '内置' },
  diagramResult: { en: 'level · score · safer wording', zh: '等级 · 分数 · 更安全的写法' },
  categories: { en: 'Twelve families of risk', zh: '十二类风险' },
  categoriesIntro: {
    en: 'A reply is risky when it does one of these itself. A reply that quotes, describes or advises against it is not.',
    zh: '回复自身做出以下行为才算有风险；引用、描述或劝阻它的回复不算。',
  },
  pipeline: { en: 'In a pipeline', zh: '接入流水线' },
  pipelineText: {
    en: '`mop detect` exits with code 10 when a reply reaches the limit, and the build stops.',
    zh: '达到设定的等级时，`mop detect` 以退出码 10 结束，构建就会在你希望的地方停下。',
  },
  pipelineOne: { en: 'One reply, in a file', zh: '文件中的一段回复' },
  pipelineMany: {
    en: 'A file of replies in JSON lines, with reports for the build server',
    zh: '一个 JSON Lines 文件，并为构建服务器生成报告',
  },
  pipelineWait: { en: 'Wait until a service is ready', zh: '等待服务就绪' },
  limits: { en: 'Limits', zh: '它做不到的' },
  limitsList: {
    en: 'It reads the reply, not the person: it makes no diagnosis. It is not a crisis service. The rules know few wordings. The model counts words and their parts without understanding them. It misses some harmful replies and flags some harmless ones. Have people review its findings.',
    zh: '它读的是回复，不是人：不做诊断，也不是危机干预服务。规则只认得少数说法；模型统计词语及其片段，并不理解含义，会漏掉一些有害的回复，也会误报一些无害的回复。请让人来看它发现的内容。',
  },
  next: { en: 'Next', zh: '接下来' },
  toCheck: { en: 'Check a text', zh: '检测一段文本' },
  toConsole: { en: 'Try the API', zh: '试用接口' },
  toDocs: { en: 'Read the API documentation', zh: '阅读接口文档' },
} satisfies Texts;

export const API_DOCS = {
  title: { en: 'API documentation', zh: '接口文档' },
  summary: {
    en: 'Every endpoint of the service, with its fields, examples and errors.',
    zh: '服务的全部接口，及其字段、示例与错误。',
  },
  download: { en: 'This page as OpenAPI 3.1, for programs', zh: '供程序使用的 OpenAPI 3.1 描述' },
  descriptions: {
    en: 'The descriptions come from openapi.json.',
    zh: '以下说明取自 openapi.json，为英文。',
  },
  contents: { en: 'On this page', zh: '本页内容' },
  parameters: { en: 'Parameters', zh: '参数' },
  requestBody: { en: 'Request body', zh: '请求体' },
  tryIt: { en: 'Try it', zh: '试一试' },
  responses: { en: 'Responses', zh: '响应' },
  header: { en: 'Header', zh: '响应头' },
  schemas: { en: 'Schemas', zh: '数据结构' },
  name: { en: 'Name', zh: '名称' },
  place: { en: 'In', zh: '位置' },
  type: { en: 'Type', zh: '类型' },
  meaning: { en: 'Meaning', zh: '含义' },
  required: { en: 'required', zh: '必填' },
  example: { en: 'Example', zh: '示例' },
  oneOf: { en: 'One of', zh: '以下之一' },
  listOf: { en: 'List of', zh: '列表：' },
} satisfies Texts;
