package io.drayage.study.chronicle;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import java.util.function.Function;
import org.apache.fory.Fory;
import org.apache.fory.config.Language;

/** A library that writes whole objects into arrays, and reads them as new objects. */
final class LibrarySystem implements MarketDataSystem {
  private static final int INITIAL_BYTES = 256;

  private final Function<MarketData, byte[]> write;
  private final Function<byte[], MarketData> read;
  private byte[] written = {};

  private LibrarySystem(Function<MarketData, byte[]> write, Function<byte[], MarketData> read) {
    this.write = write;
    this.read = read;
  }

  static LibrarySystem kryo() {
    Kryo kryo = new Kryo();
    kryo.register(MarketData.class);
    Output output = new Output(INITIAL_BYTES, -1);
    return new LibrarySystem(
        data -> {
          output.reset();
          kryo.writeObject(output, data);
          return output.toBytes();
        },
        bytes -> kryo.readObject(new Input(bytes), MarketData.class));
  }

  static LibrarySystem fory() {
    Fory fory = Fory.builder().withLanguage(Language.JAVA).requireClassRegistration(true).build();
    fory.register(MarketData.class);
    return new LibrarySystem(fory::serialize, bytes -> fory.deserialize(bytes, MarketData.class));
  }

  @Override
  public MarketData newObject() {
    return new MarketData();
  }

  @Override
  public long write(MarketData data) {
    written = write.apply(data);
    return written.length;
  }

  @Override
  public MarketData read(MarketData data) {
    return read.apply(written);
  }
}
