package io.drayage.bench.codecs.work;

import io.drayage.cargo.CargoSize;
import io.drayage.cargo.ChangeCargo;
import io.drayage.codec.pool.CodecPool;
import io.drayage.frame.ShipmentException;
import io.drayage.metrics.CodecSnapshot;
import io.drayage.send.SegmentsSender;
import io.drayage.send.SendReport;
import io.drayage.transport.TransportClient;

/**
 * A cargo through a sender and its codec threads, as a worker ships it, but over no wire: {@link
 * FramesDropped}. The calling thread plans, and waits for the others.
 */
final class ParallelSerialization extends Work {
  private static final String NAME = "codec";

  private final ChangeCargo cargo;
  private final Combination combination;
  private final CodecPool pool;
  private final SegmentsSender sender;

  ParallelSerialization(ChangeCargo cargo, Combination combination, int threads) {
    super(CargoSize.rawBytes(cargo));
    this.cargo = cargo;
    this.combination = combination;
    this.pool = new CodecPool(threads, NAME);
    this.sender = sender(new FramesDropped(frame -> {}));
  }

  private SegmentsSender sender(TransportClient client) {
    return new SegmentsSender(
        client, pool, combination.newSerializer(), combination.newCompressor(), NAME);
  }

  @Override
  public SendReport run() throws ShipmentException, InterruptedException {
    CodecSnapshot before = sender.metrics().snapshot().encode();
    SendReport report = sender.send(cargo);
    CodecSnapshot done = sender.metrics().snapshot().encode().minus(before);
    encoded(done.wireBytes(), Math.toIntExact(done.segments()));
    return report;
  }

  /** Ships it once more the same way, and reads the frames. */
  @Override
  public void verify(long digest) throws ShipmentException, InterruptedException {
    try (CargoOfFrames frames = new CargoOfFrames(combination);
        SegmentsSender verifying = sender(new FramesDropped(frames))) {
      verifying.send(cargo);
      requireDigest(digest, frames.cargo());
    }
  }

  @Override
  public void close() {
    sender.close();
    pool.close();
  }
}
