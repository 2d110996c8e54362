package io.drayage.frame;

import java.io.Serial;
import java.io.Serializable;
import java.nio.ByteBuffer;

/**
 * The span of a trace, in the form of W3C Trace Context, for a shipment or a commit. The
 * transactor's spans become its children. In an {@link FrameType#OPEN} or {@link FrameType#COMMIT}
 * frame:
 *
 * <pre>
 *   0                    16            24          25
 *   +--------------------+-------------+-----------+
 *   | trace id           | span id i64 | flags, u8 |
 *   | 2 x i64, high half |             |           |
 *   |   first            |             |           |
 *   +--------------------+-------------+-----------+
 * </pre>
 *
 * @param traceHigh the high half of the trace's id
 * @param traceLow the low half
 * @param spanId the span's id
 * @param flags bit 0: the trace is recorded
 */
public record TraceContext(long traceHigh, long traceLow, long spanId, byte flags)
    implements Serializable {
  @Serial private static final long serialVersionUID = 1;

  static final int BYTES = 25;

  void write(ByteBuffer payload) {
    payload.putLong(traceHigh).putLong(traceLow).putLong(spanId).put(flags);
  }

  static TraceContext read(ByteBuffer payload) {
    return new TraceContext(payload.getLong(), payload.getLong(), payload.getLong(), payload.get());
  }
}
