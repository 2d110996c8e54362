package io.drayage.codec;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.luben.zstd.ZstdOutputStreamNoFinalizer;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;
import org.junit.jupiter.api.Test;

final class CompressorStreamsTest extends CompressorStreamsBattery {
  @Override
  List<Compressor> compressors() {
    return Compressors.all();
  }

  private static void assertRefused(String compressor, byte[] compressed) {
    assertThatThrownBy(
            () -> {
              try (InputStream in =
                  Compressors.ofName(compressor)
                      .decompressing(new ByteArrayInputStream(compressed))) {
                in.readAllBytes();
              }
            })
        .isInstanceOf(IOException.class)
        .hasMessageMatching("(?i).*(memory|limit).*");
  }

  @Test
  void refuseAZstandardWindowAboveThatOfTheHighestLevel() throws IOException {
    ByteArrayOutputStream compressed = new ByteArrayOutputStream();
    try (OutputStream out = new ZstdOutputStreamNoFinalizer(compressed, 1).setWindowLog(28)) {
      out.write(Sample.TEXT.ofBytes(100));
      out.flush(); // With the size unknown, the frame states its window.
    }
    assertRefused("zstd", compressed.toByteArray());
  }

  @Test
  void refuseAnXzDictionaryAboveThatOfTheHighestLevel() throws IOException {
    ByteArrayOutputStream compressed = new ByteArrayOutputStream();
    try (OutputStream out = Compressors.ofName("xz").compressing(compressed)) {
      out.write(Sample.TEXT.ofBytes(100));
    }
    byte[] bytes = compressed.toByteArray();
    XzHeader.stateDictionary(bytes, XzHeader.DICTIONARY_OF_96_MIB);
    assertRefused("xz", bytes);
  }
}
