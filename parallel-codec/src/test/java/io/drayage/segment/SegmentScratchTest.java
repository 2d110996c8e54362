package io.drayage.segment;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drayage.cargo.ColumnType;
import io.drayage.codec.Serializers;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;

final class SegmentScratchTest {
  @Test
  void namesTheRowOfATextThatIsNoUtf8() {
    Part part = new Part(0, "t", PartKind.INSERTED_VALUES, "c", ColumnType.STRING, false, 9, 38);
    ByteBuffer source = ByteBuffer.allocate(10).order(ByteOrder.LITTLE_ENDIAN);
    source.putInt(1).putInt(1).put((byte) 'a').put((byte) 0xFF).flip();

    assertThatThrownBy(
            () ->
                new SegmentScratch()
                    .decode(
                        new Segment(1, part, 7, 2),
                        source,
                        Serializers.ofName("raw").newSegmentSerializer()))
        .hasMessage(
            "the text in row 8 of inserted values of t.c is no well-formed UTF-8: byte 0xFF at 0 of its 1 bytes");
  }
}
