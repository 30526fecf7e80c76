import type { OpenAPIV3_1 } from 'openapi-types';
import type { EmbeddedAnalysis } from '../../detection/engine/detector.ts';
import { scoreRange } from '../../detection/engine/score.ts';
import { MODEL_FAILURES } from '../../detection/engine/verdict.ts';
import {
  CATEGORIES,
  DETECT_PATH,
  DETECTION_VERSION,
  HEALTH_PATH,
  LEVELS,
  MAX_TEXT_LENGTH,
} from '../../protocol/detection.ts';
import { LANGUAGES } from '../../protocol/language.ts';
import { API_ERROR_CODES } from './detection-request.ts';

/** The type of `/openapi.json`. */
export type OpenApiDocument = OpenAPIV3_1.Document;

type Schema = OpenAPIV3_1.SchemaObject | OpenAPIV3_1.ReferenceObject;

const TEXT_LIMIT = MAX_TEXT_LENGTH.toLocaleString('en');

const SCORE_RANGES = LEVELS.map((level) => `${level} ${scoreRange(level)}`).join(', ');

const ref = (kind: 'schemas' | 'parameters', name: string) => ({
  $ref: `#/components/${kind}/${name}`,
});

const string = (description: string, more: OpenAPIV3_1.SchemaObject = {}): Schema => ({
  type: 'string',
  ...more,
  description,
});

const integer = (minimum: number, maximum: number | undefined, description: string): Schema => ({
  type: 'integer',
  minimum,
  ...(maximum !== undefined && { maximum }),
  description,
});

const probability = (description: string): Schema => ({
  type: 'number',
  minimum: 0,
  maximum: 1,
  description,
});

const level = (description: string) => string(description, { enum: [...LEVELS] });

/** An object that has all of its properties. */
const object = (description: string, properties: Record<string, Schema>) =>
  ({ type: 'object', description, required: Object.keys(properties), properties }) as const;

const error = (subject: string, codes: readonly string[]) =>
  object(`${subject}.`, {
    code: string(`${subject}, for programs.`, { enum: [...codes] }),
    message: string(`${subject}, for people.`),
  });

const schemas = {
  DetectionRequest: object('The text to check.', {
    text: {
      type: 'string',
      minLength: 1,
      maxLength: MAX_TEXT_LENGTH,
      pattern: '\\S',
      description: `The reply that an AI is about to give. Not blank; at most ${TEXT_LIMIT} characters, counted in code points.`,
    },
  }),
  DetectionResult: object('The findings of both levels of detection.', {
    text: string('The text that was submitted, unchanged.'),
    overall_risk: level('The level of `risk_score`.'),
    risk_score: integer(0, 100, `The severity of the risk: ${SCORE_RANGES}.`),
    results: {
      type: 'array',
      items: ref('schemas', 'RuleHit'),
      description:
        'The rules that matched: at most one entry for each rule and sentence, and five for each rule.',
    },
    ai_analysis: ref('schemas', 'AiAnalysis'),
    safe_rewrite: string(
      'The text with its risky sentences replaced; equal to `text` below medium.',
    ),
    detected_at: string(
      'The time of the check, in the time zone of the service, without an offset.',
      { pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}$' },
    ),
  }),
  RuleHit: object('A rule, and the words that it matched.', {
    rule_id: string('The stable id of the rule, for programs.'),
    rule_name: string('The name of the rule for people, in the requested language.'),
    level: level('The severity of a match of this rule.'),
    category: string('The effect of the reply on a person.', { enum: [...CATEGORIES] }),
    matched_text: string('The words of `text` that matched.'),
    start: integer(0, undefined, 'The start of the words, in UTF-16 code units of `text`.'),
    end: integer(1, undefined, 'The end of the words, exclusive, in UTF-16 code units of `text`.'),
    why: string('The possible harm of such words, in the requested language.'),
  }),
  AiAnalysis: {
    description:
      'The estimate of the model level. `provider` names the kind of model; `status` is `error` when an external model failed.',
    oneOf: ['EmbeddedAnalysis', 'ExternalAnalysis', 'FailedAnalysis'].map((name) =>
      ref('schemas', name),
    ),
  },
  EmbeddedAnalysis: object(
    'The estimate of the embedded model, which learned from example texts. It is statistics, not a judgement. It is the analysis unless an external model is configured.',
    {
      status: { const: 'ok' },
      provider: { const: 'embedded' },
      version: string('The version of the model.'),
      level: level('The level of the score.'),
      score: integer(0, 100, 'The score, computed from the probability.'),
      probability: probability(
        'The probability that the text is risky, assuming that half of all texts are.',
      ),
      families: ref('schemas', 'FamilyProbabilities'),
      words: {
        type: 'array',
        maxItems: 8,
        items: ref('schemas', 'ContributingWord'),
        description: 'The words that contributed most to the probability, the strongest first.',
      },
    },
  ),
  FamilyProbabilities: object(
    'The probability of each family of risk, highest first. A text may belong to several.',
    Object.fromEntries(
      CATEGORIES.map((category) => [category, probability(`The family \`${category}\`.`)]),
    ),
  ),
  ContributingWord: object('A word or phrase that made the text look risky to the model.', {
    text: string('The words of `text` that matched.'),
    start: integer(0, undefined, 'The start of the words, in UTF-16 code units of `text`.'),
    end: integer(1, undefined, 'The end of the words, exclusive, in UTF-16 code units of `text`.'),
    weight: {
      type: 'number',
      exclusiveMinimum: 0,
      description: 'Their contribution to the log-odds of risk.',
    },
  }),
  ExternalAnalysis: object('The verdict of an external model, if one is configured.', {
    status: { const: 'ok' },
    provider: { const: 'external' },
    model: string('The model that was asked.'),
    level: level('The level that the model gives.'),
    score: integer(0, 100, 'The score that the model gives.'),
    reasons: {
      type: 'array',
      items: { type: 'string' },
      description: 'The reasons that the model gives.',
    },
  }),
  FailedAnalysis: object(
    'The external model sent no answer or an invalid one. The embedded model gave the estimate instead.',
    {
      status: { const: 'error' },
      provider: { const: 'external' },
      model: string('The model that was asked.'),
      error: error('The failure of the model', MODEL_FAILURES),
      embedded: ref('schemas', 'EmbeddedAnalysis'),
    },
  ),
  Health: object('The health of the service.', {
    status: string('`ok` when it is healthy.'),
    rules: integer(0, undefined, 'The number of loaded rules.'),
    version: string('The version of the service.'),
  }),
  Error: object('The reason of a refusal.', {
    error: error('The fault of the request', API_ERROR_CODES),
  }),
};

const RISKY_TEXT = 'You only need me. See you tomorrow.';
const SAFE_TEXT = 'Nice work on finishing the report.';

const RISKY_ANALYSIS: EmbeddedAnalysis = {
  status: 'ok',
  provider: 'embedded',
  version: '1.0.0+fa96e1d0',
  level: 'none',
  score: 9,
  probability: 0.627,
  families: {
    dependency: 0.568,
    manipulation: 0.282,
    isolation: 0.032,
    escalation: 0.032,
    reassurance: 0.009,
    guilt: 0.006,
    self_harm: 0.006,
    sycophancy: 0.005,
    medical: 0.005,
    consciousness: 0.004,
    minimizing: 0.003,
    delusion: 0.003,
  },
  words: [
    { text: 'You only', start: 0, end: 8, weight: 0.986 },
    { text: 'me', start: 14, end: 16, weight: 0.85 },
  ],
};

const SAFE_ANALYSIS: EmbeddedAnalysis = {
  status: 'ok',
  provider: 'embedded',
  version: '1.0.0+fa96e1d0',
  level: 'none',
  score: 0,
  probability: 0.153,
  families: {
    delusion: 0.078,
    minimizing: 0.039,
    isolation: 0.037,
    escalation: 0.031,
    medical: 0.031,
    consciousness: 0.028,
    sycophancy: 0.026,
    dependency: 0.02,
    manipulation: 0.02,
    reassurance: 0.019,
    self_harm: 0.011,
    guilt: 0.008,
  },
  words: [{ text: 'finishing the', start: 13, end: 26, weight: 0.628 }],
};

const json = (schema: string, examples: Record<string, OpenAPIV3_1.ExampleObject>) => ({
  'application/json': { schema: ref('schemas', schema), examples },
});

const refusal = (description: string, errors: Readonly<Record<string, string>>) => {
  const examples = Object.entries(errors).map(([code, message]) => [
    code,
    { value: { error: { code, message } } },
  ]);
  return { description, content: json('Error', Object.fromEntries(examples)) };
};

const ANOTHER_METHOD = 'The method is not allowed. The header `Allow` lists the allowed methods.';

const ALLOW = {
  Allow: { description: 'The allowed methods.', schema: { type: 'string' as const } },
};

const otherMethod = (allowed: string, given: string) => ({
  ...refusal(ANOTHER_METHOD, {
    method_not_allowed: `${given} is not allowed here; allowed: ${allowed}`,
  }),
  headers: ALLOW,
});

const PAGE_OTHER_METHOD = {
  description: ANOTHER_METHOD,
  headers: ALLOW,
  content: { 'text/plain': { schema: { type: 'string' as const } } },
};

const page = (operationId: string, summary: string) => ({
  get: {
    tags: ['Pages'],
    operationId,
    summary,
    parameters: [ref('parameters', 'lang'), ref('parameters', 'pageLanguage')],
    responses: {
      200: {
        description: 'The page.',
        headers: {
          'Content-Language': {
            description: 'The language of the page.',
            schema: { type: 'string' as const, enum: [...LANGUAGES] },
          },
        },
        content: { 'text/html': { schema: { type: 'string' as const } } },
      },
      405: PAGE_OTHER_METHOD,
    },
  },
});

/** The detection service in OpenAPI 3.1, served by `/openapi.json` and shown by `/api-docs`. */
export const OPENAPI: OpenApiDocument = {
  openapi: '3.1.0',
  info: {
    title: 'Emotional-risk detection',
    version: DETECTION_VERSION,
    summary: 'Checks the reply of an AI for emotional risk.',
    description:
      'A short rule book finds wordings that are almost certainly harmful. An embedded model, trained on example texts, estimates the risk of all other texts; an external model can replace it. Texts are English or Chinese. No authentication is needed.',
    license: { name: 'MIT', identifier: 'MIT' },
  },
  // An empty list states that no authentication is needed.
  security: [],
  servers: [{ url: '/', description: 'The service that sent this document.' }],
  tags: [
    { name: 'Detection', description: 'The endpoints for programs.' },
    { name: 'Pages', description: 'The pages for people, in English and Chinese.' },
  ],
  paths: {
    [DETECT_PATH]: {
      post: {
        tags: ['Detection'],
        operationId: 'detect',
        summary: 'Check a text',
        description:
          'Returns a level, a score, the rules that matched, the estimate of the model with the most important words, and a safer wording. The text stays in the service. If an external model is configured, it is also sent to its endpoint.',
        parameters: [ref('parameters', 'lang'), ref('parameters', 'resultLanguage')],
        requestBody: {
          required: true,
          description: 'JSON in UTF-8.',
          content: json('DetectionRequest', {
            risky: { summary: 'A text with risk', value: { text: RISKY_TEXT } },
            safe: { summary: 'A text without risk', value: { text: SAFE_TEXT } },
          }),
        },
        responses: {
          200: {
            description: 'The result of the check.',
            content: json('DetectionResult', {
              risky: {
                summary: 'The result for a text with risk',
                value: {
                  text: RISKY_TEXT,
                  overall_risk: 'high',
                  risk_score: 60,
                  results: [
                    {
                      rule_id: 'dependency.only-me',
                      rule_name: 'Claims to be all that the person needs',
                      level: 'high',
                      category: 'dependency',
                      matched_text: 'You only need me',
                      start: 0,
                      end: 16,
                      why: 'A reply that presents itself as the only support draws a person away from people who can help.',
                    },
                  ],
                  ai_analysis: RISKY_ANALYSIS,
                  safe_rewrite:
                    'I am glad to help, and people who know you can give you things that I cannot. See you tomorrow.',
                  detected_at: '2026-11-20T12:05:06',
                },
              },
              safe: {
                summary: 'The result for a text without risk',
                value: {
                  text: SAFE_TEXT,
                  overall_risk: 'none',
                  risk_score: 0,
                  results: [],
                  ai_analysis: SAFE_ANALYSIS,
                  safe_rewrite: SAFE_TEXT,
                  detected_at: '2026-11-20T12:05:06',
                },
              },
            }),
          },
          400: refusal('The request is invalid; `code` is the reason.', {
            bad_json: 'not JSON: the text ends where a value was expected at line 1 column 10',
            bad_body: 'the body is not a JSON object but an array',
            missing_text: 'text is missing: send {"text": "…"}',
            bad_text: 'text is not a string but a number',
            empty_text: 'text is empty',
            text_too_long: `text has more than ${MAX_TEXT_LENGTH} characters`,
          }),
          403: refusal('Another web site sent the request from a browser.', {
            cross_site: 'requests from other web sites are refused',
          }),
          405: otherMethod('POST', 'GET'),
        },
      },
    },
    [HEALTH_PATH]: {
      get: {
        tags: ['Detection'],
        operationId: 'health',
        summary: 'Check the health of the service',
        responses: {
          200: {
            description: 'The service runs.',
            content: json('Health', {
              healthy: {
                summary: 'A healthy service; the number of rules depends on the release',
                value: { status: 'ok', rules: 58, version: DETECTION_VERSION },
              },
            }),
          },
          405: otherMethod('GET, HEAD', 'POST'),
        },
      },
    },
    '/': page('home', 'The page that checks a typed or dictated text'),
    '/console': page('console', 'A console for the endpoints, and a price calculator'),
    '/onepager': page('onepager', 'Overview of the service'),
    '/api-docs': page('apiDocs', 'This description, for people'),
    '/openapi.json': {
      get: {
        tags: ['Pages'],
        operationId: 'openapi',
        summary: 'This description, for programs',
        responses: {
          200: {
            description: 'OpenAPI 3.1 in JSON.',
            content: { 'application/json': { schema: { type: 'object' } } },
          },
          405: PAGE_OTHER_METHOD,
        },
      },
    },
  },
  components: {
    schemas,
    parameters: {
      lang: {
        name: 'lang',
        in: 'query',
        description: 'The language. Without it, `Accept-Language` decides.',
        schema: { type: 'string', enum: [...LANGUAGES] },
      },
      pageLanguage: {
        name: 'Accept-Language',
        in: 'header',
        description:
          'Preferred languages of the page, in order. Supported: `en`, `zh`; default: `en`.',
        schema: { type: 'string' },
      },
      resultLanguage: {
        name: 'Accept-Language',
        in: 'header',
        description:
          'Preferred languages for `rule_name` and `why`, in order. Supported: `en`, `zh`; default: `en`.',
        schema: { type: 'string', default: 'en' },
      },
    },
  },
};
