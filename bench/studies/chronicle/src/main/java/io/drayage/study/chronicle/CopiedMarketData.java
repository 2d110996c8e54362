package io.drayage.study.chronicle;

import net.openhft.chronicle.bytes.BytesIn;
import net.openhft.chronicle.bytes.BytesOut;
import net.openhft.chronicle.bytes.BytesUtil;

/** An object written as one copy of its memory, whose layout is the JVM's and no format. */
public final class CopiedMarketData extends MarketData {
  static final int START = BytesUtil.triviallyCopyableStart(MarketData.class);
  static final int LENGTH = BytesUtil.triviallyCopyableLength(MarketData.class);

  @Override
  public void writeMarshallable(BytesOut<?> out) {
    out.unsafeWriteObject(this, START, LENGTH);
  }

  @Override
  public void readMarshallable(BytesIn<?> in) {
    in.unsafeReadObject(this, START, LENGTH);
  }
}
