package io.drayage.columnar;

import io.drayage.cargo.ColumnValues;
import java.nio.file.Files;
import java.nio.file.Path;

/** Encodes and decodes texts without Zstandard's native library, which cannot be loaded. */
public final class NativeLibraryMain {
  private NativeLibraryMain() {}

  static ColumnValues texts() {
    String[] texts = new String[10_000];
    for (int row = 0; row < texts.length; row++) {
      texts[row] = "a text like others, number " + Integer.toHexString(row * 0x9e3779b9);
    }
    return ColumnValues.ofTexts(texts);
  }

  public static void main(String[] args) throws Exception {
    byte[] balanced = Files.readAllBytes(Path.of(args[0]));
    for (int use = 0; use < 2; use++) {
      try {
        ColumnCodec.encode(texts(), ColumnarOptions.of(ColumnarMode.BALANCED));
        System.out.println("encoded");
      } catch (UnsupportedOperationException e) {
        System.out.println("encode " + use + ": " + e.getMessage());
      }
      try {
        ColumnCodec.decode(balanced, 1 << 30);
        System.out.println("decoded");
      } catch (UnsupportedOperationException e) {
        System.out.println("decode " + use + ": " + e.getMessage());
      }
    }
    byte[] fast = ColumnCodec.encode(texts(), ColumnarOptions.of(ColumnarMode.FAST)).bytes();
    System.out.println("FAST has " + ColumnCodec.decode(fast, 1 << 30).rowCount() + " rows");
  }
}
