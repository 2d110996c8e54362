package io.drayage.metrics;

import static io.drayage.metrics.Metric.Group.CODEC;
import static io.drayage.metrics.Metric.Group.OUTBOUND;
import static io.drayage.metrics.Metric.Group.SHIPMENTS;
import static io.drayage.metrics.Metric.Unit.BYTES;
import static io.drayage.metrics.Metric.Unit.COUNT;
import static io.drayage.metrics.Metric.Unit.LEVEL;
import static io.drayage.metrics.Metric.Unit.LEVEL_BYTES;
import static io.drayage.metrics.Metric.Unit.NS;

import org.jspecify.annotations.Nullable;

/**
 * The metrics. Each is declared only here: snapshots and Micrometer's meters follow from the
 * constants. {@code docs/metrics.md} lists their meanings.
 */
public enum Metric {
  /** Codec threads. */
  THREADS(CODEC, "codec.threads", LEVEL, "codec threads"),
  /** Segments encoded or decoded. */
  SEGMENTS(CODEC, "codec.segments", COUNT, "segments encoded or decoded"),
  /** Frames encoded or decoded. */
  FRAMES(CODEC, "codec.frames", COUNT, "frames encoded or decoded"),
  /** Raw bytes of the segments. */
  RAW_BYTES(CODEC, "codec.raw", BYTES, "raw bytes of the segments"),
  /** Bytes between serializer and compressor. */
  SERIALIZED_BYTES(CODEC, "codec.serialized", BYTES, "bytes between serializer and compressor"),
  /** Frames with their headers. */
  WIRE_BYTES(CODEC, "codec.wire", BYTES, "frames with their headers"),
  /** Segments that a compressor did not make smaller. */
  STORED_SEGMENTS(
      CODEC, "codec.segments.stored", COUNT, "segments that a compressor did not make smaller"),
  /** Elapsed time at work, of all codec threads. */
  BUSY_NS(CODEC, "codec.busy", NS, "elapsed time at work, of all codec threads"),
  /** Times that frames waited for a buffer. */
  WAITS(CODEC, null, COUNT, "times that frames waited for a buffer"),
  /** Time that frames waited for a buffer. */
  WAIT_NS(CODEC, "codec.wait", NS, "time that frames waited for a buffer"),

  /** Frames that the transport accepted. */
  SENT_FRAMES(OUTBOUND, "outbound.frames", COUNT, "frames that the transport accepted"),
  /** Bytes that the transport accepted. */
  SENT_BYTES(OUTBOUND, "outbound.wire", BYTES, "bytes that the transport accepted"),
  /** Times that a pipeline waited for the transport. */
  TRANSPORT_WAITS(OUTBOUND, null, COUNT, "times that a pipeline waited for the transport"),
  /** Time that a pipeline waited for the transport. */
  TRANSPORT_WAIT_NS(
      OUTBOUND, "outbound.transport.wait", NS, "time that a pipeline waited for the transport"),
  /** Times that an event loop was woken up for frames. */
  WAKE_UPS(OUTBOUND, "outbound.wakeups", COUNT, "times that an event loop was woken up for frames"),
  /** Times that frames waited for credit. */
  CREDIT_STALLS(OUTBOUND, "outbound.credit.stalls", COUNT, "times that frames waited for credit"),
  /** Time that frames waited for credit. */
  CREDIT_STALL_NS(OUTBOUND, "outbound.credit.stall", NS, "time that frames waited for credit"),
  /** Times that frames waited for the socket. */
  SOCKET_STALLS(
      OUTBOUND, "outbound.socket.stalls", COUNT, "times that frames waited for the socket"),
  /** Time that frames waited for the socket. */
  SOCKET_STALL_NS(OUTBOUND, "outbound.socket.stall", NS, "time that frames waited for the socket"),
  /** Frames that wait now. */
  QUEUED_FRAMES(OUTBOUND, "outbound.queued.frames", LEVEL, "frames that wait now"),
  /** Bytes that wait now. */
  QUEUED_BYTES(OUTBOUND, "outbound.queued", LEVEL_BYTES, "bytes that wait now"),
  /** The most frames that ever waited. */
  PEAK_QUEUED_FRAMES(
      OUTBOUND, "outbound.queued.peak.frames", LEVEL, "the most frames that ever waited"),
  /** The most bytes that ever waited. */
  PEAK_QUEUED_BYTES(
      OUTBOUND, "outbound.queued.peak", LEVEL_BYTES, "the most bytes that ever waited"),

  /** Shipments accepted. */
  OPENED(SHIPMENTS, "shipments.opened", COUNT, "shipments accepted"),
  /** Shipments that arrived whole. */
  HELD(SHIPMENTS, "shipments.held", COUNT, "shipments that arrived whole"),
  /** Shipments committed. */
  COMMITTED(SHIPMENTS, "shipments.committed", COUNT, "shipments committed"),
  /** Shipments resumed after a loss. */
  RECONNECTS(SHIPMENTS, "shipments.reconnects", COUNT, "shipments resumed after a loss");

  /** Metrics that belong together, with {@link Counters} of their own. */
  public enum Group {
    /** Codec threads of one side: each end has threads that encode and threads that decode. */
    CODEC,
    /** Frames on their way into the transport, on a worker. */
    OUTBOUND,
    /** Shipments by the state that they reached. */
    SHIPMENTS
  }

  /** The units. A level is a value of this moment. All other units are sums since the start. */
  public enum Unit {
    /** A number of events. */
    COUNT,
    /** A sum of bytes. */
    BYTES,
    /** A sum of nanoseconds. */
    NS,
    /** The present number. */
    LEVEL,
    /** The present number of bytes. */
    LEVEL_BYTES
  }

  private final Group group;
  private final @Nullable String meter;
  private final Unit unit;
  private final String description;

  Metric(Group group, @Nullable String meter, Unit unit, String description) {
    this.group = group;
    this.meter = meter;
    this.unit = unit;
    this.description = description;
  }

  /** The group that the metric belongs to. */
  public Group group() {
    return group;
  }

  /** The name in Micrometer, after {@code drayage.}; null if it is not shown there. */
  public @Nullable String meter() {
    return meter;
  }

  /** The unit of the values. */
  public Unit unit() {
    return unit;
  }

  /** The meaning, in a few words. */
  public String description() {
    return description;
  }

  /** Whether the metric is a level, and not a sum. */
  public boolean isLevel() {
    return unit == Unit.LEVEL || unit == Unit.LEVEL_BYTES;
  }
}
