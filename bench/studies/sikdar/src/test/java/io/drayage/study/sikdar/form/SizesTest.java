package io.drayage.study.sikdar.form;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Bytes of all objects of TPC-H at scale factor 0.1, as published with the study's code. */
@Timeout(180)
class SizesTest {
  private static final double SCALE_FACTOR = 0.1;

  private static Rows rows;

  @BeforeAll
  @Timeout(180)
  static void makeRows() {
    rows = new Rows(SCALE_FACTOR);
  }

  @Test
  void partsTakeAsManyBytesAsPublished() throws IOException {
    List<?> parts = rows.parts();
    assertThat(parts).hasSize(20_000);
    assertThat(bytes(new JavaCodec(), ObjectKind.PART, parts)).isEqualTo(5_967_702);
    assertThat(bytes(new ByteBufferCodec(true), ObjectKind.PART, parts)).isEqualTo(2_727_702);
    assertThat(bytes(new ProtobufCodec(), ObjectKind.PART, parts)).isEqualTo(2_451_192);
    assertThat(bytes(new BsonCodec(true), ObjectKind.PART, parts)).isEqualTo(4_187_702);
  }

  @Test
  @Tag("nightly")
  void customersTakeAsManyBytesAsPublished() throws IOException {
    List<?> customers = rows.customers(Integer.MAX_VALUE);
    assertThat(customers).hasSize(15_000);
    assertThat(bytes(new JavaCodec(), ObjectKind.CUSTOMER, customers)).isEqualTo(293_350_755);
    assertThat(bytes(new ByteBufferCodec(true), ObjectKind.CUSTOMER, customers))
        .isEqualTo(292_175_211);
    assertThat(bytes(new ByteBufferCodec(false), ObjectKind.CUSTOMER, customers))
        .isEqualTo(291_050_256);
  }

  @Test
  @Tag("nightly")
  void lineItemsTakeAsManyBytesAsPublished() throws IOException {
    List<?> lines = rows.lineItems(Integer.MAX_VALUE);
    assertThat(lines).hasSize(600_572);
    assertThat(bytes(new JavaCodec(), ObjectKind.LINE_ITEM, lines)).isEqualTo(623_049_263);
    assertThat(bytes(new ByteBufferCodec(true), ObjectKind.LINE_ITEM, lines))
        .isEqualTo(266_309_495);
  }

  private static long bytes(ObjectCodec codec, ObjectKind kind, List<?> objects)
      throws IOException {
    long bytes = 0;
    for (Object object : objects) {
      bytes += codec.write(kind, object).length;
    }
    return bytes;
  }
}
