package io.drayage.bench.analyze;

import io.drayage.codec.Compressor;
import io.drayage.codec.Compressors;
import io.drayage.codec.Serializer;
import io.drayage.codec.raw.RawSerializer;
import io.drayage.columnar.ColumnarMode;
import io.drayage.columnar.ColumnarOptions;
import io.drayage.columnar.ColumnarSerializer;
import java.util.List;

/**
 * A codec to be compared.
 *
 * @param name as users write it
 */
record Candidate(String name, Serializer serializer, Compressor compressor) {
  static final String COLUMNAR = "columnar";
  static final String LZ4 = "raw+lz4";
  static final String ZSTD = "raw+zstd:3";
  static final String TAIL = "columnar+zstd:1";

  /** All that are compared, in the order of their turns. */
  static List<Candidate> all(ColumnarMode mode) {
    Compressor none = Compressors.ofId(Compressor.STORED_ID);
    Compressor zstd = Compressors.ofName("zstd");
    ColumnarOptions dense = ColumnarOptions.of(ColumnarMode.DENSE).withTail();
    return List.of(
        new Candidate(COLUMNAR, new ColumnarSerializer(ColumnarOptions.of(mode)), none),
        new Candidate(LZ4, new RawSerializer(), Compressors.ofName("lz4")),
        new Candidate(ZSTD, new RawSerializer(), zstd.atLevel(3)),
        new Candidate(TAIL, new ColumnarSerializer(dense), zstd.atLevel(1)));
  }
}
