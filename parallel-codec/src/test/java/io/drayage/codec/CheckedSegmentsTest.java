package io.drayage.codec;

import static io.drayage.testing.Refusals.assertFault;

import com.example.drayage.HuffmanCompressor;
import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.PartContent;
import io.drayage.cargo.RandomCargo;
import io.drayage.cargo.RowBits;
import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.drayage.segment.Segment;
import io.drayage.segment.SegmentSerializer;
import io.drayage.testing.CargoBytes;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Users' codecs that decode valid frames to other values than were sent. */
final class CheckedSegmentsTest {
  private static final int OF_A_USER = 201;
  private static final Serializer RAW = Serializers.ofName("raw");

  /** Hides an error: works like {@code raw}, but changes the last row that it has read. */
  private static final class LastRowWrong implements SegmentSerializer {
    private final SegmentSerializer raw = RAW.newSegmentSerializer();

    @Override
    public int maxSerializedBytes(Segment segment, PartContent content) {
      return raw.maxSerializedBytes(segment, content);
    }

    @Override
    public void serialize(Segment segment, PartContent content, ByteBuffer target) {
      raw.serialize(segment, content, target);
    }

    @Override
    public void deserialize(Segment segment, ByteBuffer source, PartContent content)
        throws ShipmentException {
      raw.deserialize(segment, source, content);
      long last = segment.firstRow() + segment.rowCount() - 1;
      if (content instanceof RowBits bits) {
        if (bits.get(last)) {
          bits.clear(last);
        } else {
          bits.set(last);
        }
      } else {
        ColumnValues values = (ColumnValues) content;
        RandomCargo.change(values.page(values.pageOf(last)), values.offsetOf(last));
      }
    }
  }

  /** Returns the right number of bytes, but the last byte is another. */
  private static final class LastByteWrong implements Compressor {
    private final HuffmanCompressor huffman = new HuffmanCompressor();

    @Override
    public int id() {
      return OF_A_USER;
    }

    @Override
    public String name() {
      return "wrong";
    }

    @Override
    public int maxRatio() {
      return huffman.maxRatio();
    }

    @Override
    public SegmentCompressor newSegmentCompressor() {
      SegmentCompressor right = huffman.newSegmentCompressor();
      return new SegmentCompressor() {
        @Override
        public boolean compress(ByteBuffer source, ByteBuffer target) {
          return right.compress(source, target);
        }

        @Override
        public void decompress(ByteBuffer source, ByteBuffer target) throws ShipmentException {
          right.decompress(source, target);
          int last = target.position() - 1;
          target.put(last, (byte) (target.get(last) ^ 1));
        }

        @Override
        public void close() {
          right.close();
        }
      };
    }
  }

  private static ChangeCargo trip(ChangeCargo cargo, SegmentSerializer serializer, Compressor by)
      throws IOException {
    return trip(cargo, serializer, OF_A_USER, by);
  }

  private static ChangeCargo trip(
      ChangeCargo cargo, SegmentSerializer serializer, int id, Compressor compressor)
      throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    new CargoFrames(serializer, id, compressor).write(cargo, bytes);
    return new CargoFrames(serializer, id, compressor)
        .read(new ByteArrayInputStream(bytes.toByteArray()), 1 << 24);
  }

  @ParameterizedTest
  @EnumSource
  void refusesOtherValuesOfASerializer(ColumnType type) {
    ColumnValues values = RandomCargo.column(1, type, 1_000, false);
    ChangeCargo cargo = CargoBytes.cargoOf(values);

    assertFault(Fault.DECODE, () -> trip(cargo, new LastRowWrong(), Compressors.ofName("none")))
        .hasMessageContaining("other values than were sent")
        .hasMessageContaining("serializer 201");
  }

  @Test
  void refusesOtherDeletedRowsOfASerializer() {
    ChangeCargo cargo =
        ChangeCargo.builder(new UUID(1, 1), 0)
            .table("t", table -> table.delete(RandomCargo.bits(1, 1_000)))
            .build();

    assertFault(Fault.DECODE, () -> trip(cargo, new LastRowWrong(), Compressors.ofName("none")))
        .hasMessageContaining("other values than were sent");
  }

  @Test
  void refusesOtherBytesOfACompressor() {
    ChangeCargo cargo = CargoBytes.cargoOf(ColumnValues.of(new long[][] {new long[1_000]}));

    assertFault(
            Fault.DECODE,
            () -> trip(cargo, RAW.newSegmentSerializer(), RAW.id(), new LastByteWrong()))
        .hasMessageContaining("compressor 'wrong'");
  }

  @Test
  void refusesSegmentWithoutADigest() throws Exception {
    ChangeCargo cargo = CargoBytes.cargoOf(ColumnValues.of(new byte[][] {{1, 2}}));
    Compressor none = Compressors.ofName("none");
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    new CargoFrames(RAW.newSegmentSerializer(), RAW.id(), none).write(cargo, bytes);

    assertFault(
            Fault.DECODE,
            () ->
                new CargoFrames(RAW.newSegmentSerializer(), RAW.id(), new HuffmanCompressor())
                    .read(new ByteArrayInputStream(bytes.toByteArray()), 1 << 24))
        .hasMessageContaining("fewer than the 8");
  }
}
