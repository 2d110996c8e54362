import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Writes the source of {@code IntKernels} from that of {@code LongKernels}, with int for long,
 * except for types with a mark for 64 bits in both. The build runs this (pom.xml).
 */
final class IntKernelsGenerator {
  private static final String WIDE = "/* 64 */ long";
  private static final String KEPT = "\0";

  private IntKernelsGenerator() {}

  /** Reads the file that the first argument names, and writes the second. */
  public static void main(String[] args) throws IOException {
    String source =
        Files.readString(Path.of(args[0]))
            .replace(WIDE, KEPT)
            .replace("LongKernels", "IntKernels")
            .replace("Long.SIZE", "Integer.SIZE")
            .replaceAll("\\blong\\b", "int")
            .replaceAll("\\b(\\d+)L\\b", "$1")
            .replace(KEPT, "long")
            .replaceFirst(
                "(?s)/\\*\\*.*?\\*/", "/** Generated from {@code LongKernels}: change that. */");
    Path target = Path.of(args[1]);
    Files.createDirectories(target.getParent());
    Files.writeString(target, source);
  }
}
