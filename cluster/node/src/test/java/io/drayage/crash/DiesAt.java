package io.drayage.crash;

import java.io.IOException;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.ProtectionDomain;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.ClassWriter;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import net.bytebuddy.jar.asm.Type;
import org.jspecify.annotations.Nullable;

/** Makes a process die at a {@link CrashPoint} as by {@code kill -9}, without shutdown hooks. */
public final class DiesAt {
  /** The exit code of a process that was killed by signal 9. */
  public static final int EXIT_CODE = 137;

  private static final String SELF = Type.getInternalName(DiesAt.class);
  private static final AtomicInteger LEFT = new AtomicInteger();

  private DiesAt() {}

  /**
   * The JVM option for a class path with this class.
   *
   * @param step the point: {@code applied}, or {@code applied:3} for the third time
   * @param folder a folder for the agent's jar
   */
  public static String option(String step, Path folder) throws IOException {
    Path agent = folder.resolve("dies-at.jar");
    if (!Files.exists(agent)) {
      Manifest manifest = new Manifest();
      manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
      manifest.getMainAttributes().putValue("Premain-Class", DiesAt.class.getName());
      new JarOutputStream(Files.newOutputStream(agent), manifest).close();
    }
    return "-javaagent:" + agent + "=" + step;
  }

  /** Called by the JVM, before the main class is loaded. */
  public static void premain(String step, Instrumentation jvm) {
    String[] parts = step.split(":", 2);
    CrashPoint point = CrashPoint.valueOf(parts[0].toUpperCase(Locale.ROOT));
    LEFT.set(parts.length == 1 ? 1 : Integer.parseInt(parts[1]));
    jvm.addTransformer(
        new ClassFileTransformer() {
          @Override
          public byte @Nullable [] transform(
              @Nullable ClassLoader loader,
              String name,
              @Nullable Class<?> redefined,
              @Nullable ProtectionDomain domain,
              byte[] bytes) {
            return point.owner().equals(name) ? reporting(point, bytes) : null;
          }
        });
  }

  /** The bytes of a class after the calls that report a point were added. */
  static byte[] reporting(CrashPoint point, byte[] bytes) {
    ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
    new ClassReader(bytes)
        .accept(
            new ClassVisitor(Opcodes.ASM9, writer) {
              @Override
              public MethodVisitor visitMethod(
                  int access,
                  String name,
                  String descriptor,
                  @Nullable String signature,
                  String @Nullable [] exceptions) {
                MethodVisitor code =
                    super.visitMethod(access, name, descriptor, signature, exceptions);
                return CrashPoint.in(point.owner(), name).contains(point)
                    ? point.reporting(code, SELF, "reach")
                    : code;
              }
            },
            0);
    return writer.toByteArray();
  }

  /** Counts a visit of the point, and dies at the chosen one. */
  public static void reach(String point) {
    if (LEFT.decrementAndGet() == 0) {
      System.err.println("dying at crash point " + point);
      Runtime.getRuntime().halt(EXIT_CODE);
    }
  }
}
