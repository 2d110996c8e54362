package io.drayage.study.chronicle;

import java.util.function.Supplier;
import net.openhft.chronicle.bytes.Bytes;

/** Chronicle's elastic bytes outside the heap. Each call sets their position back. */
final class ChronicleSystem implements MarketDataSystem {
  private static final int INITIAL_BYTES = 256;

  private final Supplier<MarketData> newObject;
  private final Bytes<?> bytes = Bytes.allocateElasticDirect(INITIAL_BYTES);

  ChronicleSystem(Supplier<MarketData> newObject) {
    this.newObject = newObject;
  }

  @Override
  public MarketData newObject() {
    return newObject.get();
  }

  @Override
  public long write(MarketData data) {
    bytes.clear();
    data.writeMarshallable(bytes);
    return bytes.writePosition();
  }

  @Override
  public MarketData read(MarketData data) {
    bytes.readPosition(0);
    data.readMarshallable(bytes);
    return data;
  }

  @Override
  public void close() {
    bytes.releaseLast();
  }
}
