package io.drayage.metrics;

/**
 * The counters of one end: give the same object to a {@code CargoSender} and to the options of its
 * transport, or to a {@code CargoReceiver} and to its, and ask it for {@link #snapshot}. It may
 * serve several senders or receivers; they are added up then.
 *
 * <p>Thread-safe. Counting is a few uncontended additions for each frame; take a snapshot a few
 * times a second at most.
 */
public final class DrayageMetrics {
  private final CodecCounters encode = new CodecCounters();
  private final CodecCounters decode = new CodecCounters();
  private final OutboundCounters outbound = new OutboundCounters();
  private final ShipmentCounters shipments = new ShipmentCounters();
  private final StageThreads threads = new StageThreads();

  /** How the counters stand now. */
  public MetricsSnapshot snapshot() {
    return new MetricsSnapshot(
        System.nanoTime(),
        encode.snapshot(),
        decode.snapshot(),
        outbound.snapshot(),
        shipments.snapshot(),
        threads.snapshot());
  }

  // Where pipelines and transports count.

  /** What a worker counts as it encodes. */
  public CodecCounters encode() {
    return encode;
  }

  /** What a transactor counts as it decodes. */
  public CodecCounters decode() {
    return decode;
  }

  /** What a worker counts of frames on their way into the transport. */
  public OutboundCounters outbound() {
    return outbound;
  }

  /** How far shipments got, at either end. */
  public ShipmentCounters shipments() {
    return shipments;
  }

  /** The threads whose processor time is counted, by their stage. */
  public StageThreads threads() {
    return threads;
  }
}
