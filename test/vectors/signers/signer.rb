# A signer with the habits of Ruby programs. Reads jobs from stdin and writes the results to stdout.
require 'digest'
require 'json'
require 'time'

# A correct signer, except for numbers that JSON.parse changes; a habit replaces one of its steps.
class Signer
  attr_writer :nested, :join, :write

  def initialize(job)
    @header_mode = job['mode'] == 'header'
    @secret = job['secret']
    @headers = job['headers'].select { |name, _| name.start_with?('X-TMS-') }.to_h
    @business = JSON.parse(job['body'])
    @nested = ->(value) { JSON.generate(value) }
    @join = ->(pairs) { pairs.map { |name, text| "#{name}=#{text}" }.join('&') }
    @write = ->(digest) { digest.hexdigest.upcase }
  end

  # Signs a field or header with a value that differs from the one sent.
  def signed_as(field)
    [@headers, @business].each { |fields| fields[field] = yield fields[field] if fields.key?(field) }
  end

  def sign
    fields = @headers.merge(@business).select { |_, value| @header_mode || !value.nil? }
    pairs = fields.transform_values { |value| text(value) }.sort_by(&:first)
    src1 = @join.(pairs)
    { canonical: src1, sign: @write.(Digest::MD5.new.update(src1 + @secret)) }
  end

  private

  def text(value)
    value.is_a?(Hash) || value.is_a?(Array) ? @nested.(value) : value.to_s
  end
end

HABITS = {
  # "#{hash}" is hash.inspect
  'inspect' => ->(s) { s.nested = ->(value) { value.inspect } },
  # params.sort.join
  'join' => ->(s) { s.join = ->(pairs) { pairs.join } },
  'time-to-s' => ->(s) { s.signed_as('start') { |value| Time.parse("#{value}Z").to_s } },
  # Time.now is called again for sending
  'time-now-twice' => ->(s) { s.signed_as('X-TMS-Timestamp') { |seconds| (seconds.to_i - 1).to_s } },
  'hexdigest' => ->(s) { s.write = ->(digest) { digest.hexdigest } },
  # As OpenSSL shows fingerprints
  'fingerprint' => ->(s) { s.write = ->(digest) { digest.hexdigest.upcase.scan(/../).join(':') } },
}.freeze

results = JSON.parse($stdin.read).map do |job|
  signer = Signer.new(job)
  job['habits'].each { |habit| HABITS.fetch(habit).(signer) }
  signer.sign
end
print JSON.generate(results)
