package io.drayage.simulation.kernel;

import io.drayage.crash.CrashPoint;
import java.io.IOException;
import java.io.InputStream;
import java.util.HashMap;
import java.util.Map;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.ClassWriter;
import net.bytebuddy.jar.asm.Handle;
import net.bytebuddy.jar.asm.Label;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import net.bytebuddy.jar.asm.Type;
import org.jspecify.annotations.Nullable;

/**
 * Loads the project's classes anew, with simulated threads, monitors, time and random ids in place
 * of the JDK's. In a variant, some calls do nothing.
 */
public final class SimClassLoader extends ClassLoader {
  private static final String CALLS = Type.getInternalName(SimCalls.class);
  private static final String KERNEL = SimCalls.class.getPackageName() + ".";

  /** The replacement by "owner.name descriptor"; the receiver is the first argument. */
  private static final Map<String, String[]> CALLED = new HashMap<>();

  static {
    call("java/lang/System.nanoTime()J", "nanoTime", "()J");
    call("java/lang/System.currentTimeMillis()J", "currentTimeMillis", "()J");
    call("java/time/Instant.now()Ljava/time/Instant;", "now", "()Ljava/time/Instant;");
    call("java/util/UUID.randomUUID()Ljava/util/UUID;", "randomUUID", "()Ljava/util/UUID;");
    call("java/security/SecureRandom.nextLong()J", "nextLong", "(Ljava/security/SecureRandom;)J");
    call("java/lang/Thread.sleep(J)V", "sleep", "(J)V");
    call("java/util/concurrent/TimeUnit.sleep(J)V", "sleep", "(Ljava/util/concurrent/TimeUnit;J)V");
    call("java/lang/Thread.join(J)V", "join", "(Ljava/lang/Thread;J)V");
    call(
        "java/util/concurrent/ThreadLocalRandom.nextLong(JJ)J",
        "nextLong",
        "(Ljava/util/concurrent/ThreadLocalRandom;JJ)J");
    call(
        "java/util/concurrent/TimeUnit.timedWait(Ljava/lang/Object;J)V",
        "timedWait",
        "(Ljava/util/concurrent/TimeUnit;Ljava/lang/Object;J)V");
    for (String future : new String[] {"CompletableFuture", "Future"}) {
      call(
          "java/util/concurrent/%s.get(JLjava/util/concurrent/TimeUnit;)Ljava/lang/Object;"
              .formatted(future),
          "get",
          "(Ljava/util/concurrent/Future;JLjava/util/concurrent/TimeUnit;)Ljava/lang/Object;");
    }
    call(
        "java/util/concurrent/ExecutorService.awaitTermination(JLjava/util/concurrent/TimeUnit;)Z",
        "awaitTermination",
        "(Ljava/util/concurrent/ExecutorService;JLjava/util/concurrent/TimeUnit;)Z");
    call(
        "java/util/concurrent/ConcurrentHashMap.newKeySet()"
            + "Ljava/util/concurrent/ConcurrentHashMap$KeySetView;",
        "newKeySet",
        "()Ljava/util/Set;");
    call(
        "java/nio/ByteBuffer.allocateDirect(I)Ljava/nio/ByteBuffer;",
        "allocateDirect",
        "(I)Ljava/nio/ByteBuffer;");
    for (String stream : new String[] {"IntStream", "LongStream"}) {
      call(
          "java/util/stream/%s.parallel()Ljava/util/stream/%s;".formatted(stream, stream),
          "sequential",
          "(Ljava/util/stream/%s;)Ljava/util/stream/%s;".formatted(stream, stream));
    }
    call(
        "java/util/stream/Stream.parallel()Ljava/util/stream/BaseStream;",
        "sequential",
        "(Ljava/util/stream/Stream;)Ljava/util/stream/BaseStream;");
    executor("newSingleThreadExecutor", "ExecutorService");
    executor("newCachedThreadPool", "ExecutorService");
    executor("newSingleThreadScheduledExecutor", "ScheduledExecutorService");
    call(
        "java/util/concurrent/ForkJoinPool.commonPool()Ljava/util/concurrent/ForkJoinPool;",
        "commonPool",
        "()Ljava/util/concurrent/Executor;");
  }

  /** A window of transactions that a few commits fill. */
  private static final int TRANSACTION_WINDOW = 8;

  /** Replaces 1 << 17: a seed makes a hundred pools, and creates the queue of each. */
  private static final int QUEUED_TASKS = 1 << 10;

  /** Replaces 16 MiB for a manifest. Some fragments of workers with the longest names fit. */
  private static final int MANIFEST_BYTES = 24 << 10;

  private static final String STORED_TEXT = "io/drayage/snapshot/StoredText";

  private static final String POOL = "io/drayage/codec/pool/CodecPool";

  /** The omitted calls, each with the instruction that pushes its result. */
  private final Map<String, Integer> changed = new HashMap<>();

  /** The method that is called instead; empty for none. */
  private final String patch;

  /** The method whose blocks hold no monitor. */
  private final String unlocked;

  /**
   * @param variant a call "owner.name" that does nothing; or "owner.name=0" or "=1" for a call with
   *     that result; or "owner.name@class.name" for a call that is replaced by a static method,
   *     which gets the receiver too; or a method "owner.name!" whose blocks hold no monitor; or
   *     some of the first two, joined by "+"; empty for no change
   */
  public SimClassLoader(String variant) {
    super(SimClassLoader.class.getClassLoader());
    int end = variant.indexOf('@');
    this.patch = end < 0 ? "" : variant.substring(end + 1);
    for (String each : variant.split("\\+", -1)) {
      changed.put(
          each.replaceAll("[=@].*", ""), each.endsWith("=1") ? Opcodes.ICONST_1 : Opcodes.ICONST_0);
    }
    this.unlocked = variant.endsWith("!") ? variant.substring(0, variant.length() - 1) : "";
  }

  private static void executor(String name, String type) {
    String descriptor =
        "(Ljava/util/concurrent/ThreadFactory;)Ljava/util/concurrent/%s;".formatted(type);
    call("java/util/concurrent/Executors." + name + descriptor, name, descriptor);
  }

  private static void call(String from, String name, String descriptor) {
    CALLED.put(from, new String[] {name, descriptor});
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    boolean ours = name.startsWith("io.drayage.") || name.startsWith("com.example.drayage.");
    if (!ours || name.startsWith(KERNEL)) {
      return super.loadClass(name, resolve);
    }
    synchronized (getClassLoadingLock(name)) {
      Class<?> loaded = findLoadedClass(name);
      return loaded == null ? define(name) : loaded;
    }
  }

  private Class<?> define(String name) throws ClassNotFoundException {
    try (InputStream in = getResourceAsStream(name.replace('.', '/') + ".class")) {
      if (in == null) {
        throw new ClassNotFoundException(name);
      }
      ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
      new ClassReader(in).accept(new Rewritten(writer), 0);
      byte[] bytes = writer.toByteArray();
      return defineClass(name, bytes, 0, bytes.length);
    } catch (IOException e) {
      throw new ClassNotFoundException(name, e);
    }
  }

  private final class Rewritten extends ClassVisitor {
    private final ClassVisitor to;
    private String owner = "";
    private boolean isInterface;

    Rewritten(ClassVisitor to) {
      super(Opcodes.ASM9, to);
      this.to = to;
    }

    @Override
    public void visit(
        int version,
        int access,
        String name,
        @Nullable String signature,
        @Nullable String superName,
        String @Nullable [] interfaces) {
      owner = name;
      isInterface = (access & Opcodes.ACC_INTERFACE) != 0;
      super.visit(version, access, name, signature, superName, interfaces);
    }

    @Override
    public MethodVisitor visitMethod(
        int access,
        String name,
        String descriptor,
        @Nullable String signature,
        String @Nullable [] exceptions) {
      if (name.equals("<clinit>")) {
        return new Initializer(
            owner, super.visitMethod(access, name, descriptor, signature, exceptions));
      }
      if ((access & Opcodes.ACC_SYNCHRONIZED) == 0) {
        return reporting(
            name,
            new Calls(
                owner,
                super.visitMethod(access, name, descriptor, signature, exceptions),
                unlocked.equals(owner + "." + name)));
      }
      int plain = access & ~Opcodes.ACC_SYNCHRONIZED;
      wrap(plain, name, descriptor, signature, exceptions);
      int hidden = (plain & ~(Opcodes.ACC_PUBLIC | Opcodes.ACC_PROTECTED)) | Opcodes.ACC_PRIVATE;
      return reporting(
          name,
          new Calls(
              owner,
              super.visitMethod(hidden, name + "$locked", descriptor, signature, exceptions)));
    }

    /** Adds the reports of a method's crash points. */
    private MethodVisitor reporting(String name, MethodVisitor code) {
      MethodVisitor all = code;
      for (CrashPoint point : CrashPoint.in(owner, name)) {
        all = point.reporting(all, CALLS, "reach");
      }
      return all;
    }

    /** Adds a method that holds the monitor while it calls the renamed synchronized method. */
    private void wrap(
        int access,
        String name,
        String descriptor,
        @Nullable String signature,
        String @Nullable [] exceptions) {
      MethodVisitor code = to.visitMethod(access, name, descriptor, signature, exceptions);
      boolean isStatic = (access & Opcodes.ACC_STATIC) != 0;
      Label begin = new Label();
      Label end = new Label();
      Label failed = new Label();
      code.visitCode();
      code.visitTryCatchBlock(begin, end, failed, null);
      monitor(code, isStatic, "enter");
      code.visitLabel(begin);
      int slots = 0;
      if (!isStatic) {
        code.visitVarInsn(Opcodes.ALOAD, slots++);
      }
      for (Type argument : Type.getArgumentTypes(descriptor)) {
        code.visitVarInsn(argument.getOpcode(Opcodes.ILOAD), slots);
        slots += argument.getSize();
      }
      code.visitMethodInsn(
          isStatic ? Opcodes.INVOKESTATIC : Opcodes.INVOKESPECIAL,
          owner,
          name + "$locked",
          descriptor,
          isInterface);
      code.visitLabel(end);
      monitor(code, isStatic, "exit");
      code.visitInsn(Type.getReturnType(descriptor).getOpcode(Opcodes.IRETURN));
      code.visitLabel(failed);
      code.visitFrame(Opcodes.F_SAME1, 0, new Object[0], 1, new Object[] {"java/lang/Throwable"});
      monitor(code, isStatic, "exit");
      code.visitInsn(Opcodes.ATHROW);
      code.visitMaxs(slots + 3, slots);
      code.visitEnd();
    }

    private void monitor(MethodVisitor code, boolean isStatic, String call) {
      if (isStatic) {
        code.visitLdcInsn(Type.getObjectType(owner));
      } else {
        code.visitVarInsn(Opcodes.ALOAD, 0);
      }
      code.visitMethodInsn(Opcodes.INVOKESTATIC, CALLS, call, "(Ljava/lang/Object;)V", false);
    }
  }

  /** Reports the initialization of a class, which happens once in a JVM, not for each seed. */
  private final class Initializer extends Calls {
    Initializer(String rewritten, MethodVisitor to) {
      super(rewritten, to);
    }

    @Override
    public void visitCode() {
      super.visitCode();
      super.visitMethodInsn(Opcodes.INVOKESTATIC, CALLS, "beginInitializer", "()V", false);
    }

    @Override
    public void visitInsn(int opcode) {
      if (opcode == Opcodes.RETURN) {
        super.visitMethodInsn(Opcodes.INVOKESTATIC, CALLS, "endInitializer", "()V", false);
      }
      super.visitInsn(opcode);
    }
  }

  /** Replaces calls. */
  private class Calls extends MethodVisitor {
    private final String rewritten;
    private final boolean isUnlocked;
    private boolean newThread;

    Calls(String rewritten, MethodVisitor to) {
      this(rewritten, to, false);
    }

    Calls(String rewritten, MethodVisitor to, boolean isUnlocked) {
      super(Opcodes.ASM9, to);
      this.rewritten = rewritten;
      this.isUnlocked = isUnlocked;
    }

    private void call(String name, String descriptor) {
      super.visitMethodInsn(Opcodes.INVOKESTATIC, CALLS, name, descriptor, false);
    }

    @Override
    public void visitTypeInsn(int opcode, String type) {
      if (opcode == Opcodes.NEW && type.equals("java/lang/Thread")) {
        newThread = true;
      } else {
        if (opcode == Opcodes.ANEWARRAY) {
          call("makeArray", "()V");
        }
        super.visitTypeInsn(opcode, type);
      }
    }

    @Override
    public void visitIntInsn(int opcode, int operand) {
      if (opcode == Opcodes.NEWARRAY) {
        call("makeArray", "()V");
      }
      super.visitIntInsn(opcode, operand);
    }

    @Override
    public void visitInsn(int opcode) {
      if (opcode == Opcodes.DUP && newThread) {
        newThread = false;
      } else if (isUnlocked && (opcode == Opcodes.MONITORENTER || opcode == Opcodes.MONITOREXIT)) {
        super.visitInsn(Opcodes.POP);
      } else if (opcode == Opcodes.MONITORENTER) {
        call("enter", "(Ljava/lang/Object;)V");
      } else if (opcode == Opcodes.MONITOREXIT) {
        call("exit", "(Ljava/lang/Object;)V");
      } else {
        super.visitInsn(opcode);
      }
    }

    @Override
    public void visitMethodInsn(
        int opcode, String owner, String name, String descriptor, boolean isInterface) {
      if (opcode == Opcodes.INVOKESPECIAL
          && owner.equals("java/lang/Thread")
          && name.equals("<init>")) {
        call("newThread", "(Ljava/lang/Runnable;Ljava/lang/String;)Ljava/lang/Thread;");
        return;
      }
      if (descriptor.equals("()V") && (name.equals("notify") || name.equals("notifyAll"))) {
        call(name, "(Ljava/lang/Object;)V");
        return;
      }
      if (name.equals("wait") && owner.equals("java/lang/Object")) {
        call("await", descriptor.replace("(", "(Ljava/lang/Object;"));
        return;
      }
      Integer result = changed.get(owner + "." + name);
      if (result != null && !patch.startsWith(rewritten)) {
        change(opcode, owner, descriptor, result);
        return;
      }
      String[] replaced = CALLED.get(owner + "." + name + descriptor);
      if (replaced == null) {
        super.visitMethodInsn(opcode, owner, name, descriptor, isInterface);
      } else {
        call(replaced[0], replaced[1]);
      }
    }

    private void change(int opcode, String owner, String descriptor, int result) {
      Type type = Type.getReturnType(descriptor);
      if (!patch.isEmpty()) {
        int dot = patch.indexOf('.');
        String receiver =
            opcode == Opcodes.INVOKESTATIC ? "" : Type.getObjectType(owner).toString();
        super.visitMethodInsn(
            Opcodes.INVOKESTATIC,
            patch.substring(0, dot),
            patch.substring(dot + 1),
            descriptor.replace("(", "(" + receiver),
            false);
        return;
      }
      Type[] arguments = Type.getArgumentTypes(descriptor);
      for (int i = arguments.length - 1; i >= 0; i--) {
        super.visitInsn(arguments[i].getSize() == 2 ? Opcodes.POP2 : Opcodes.POP);
      }
      if (opcode != Opcodes.INVOKESTATIC) {
        super.visitInsn(Opcodes.POP);
      }
      pushResult(type, result);
    }

    /** Replaces method references such as System::nanoTime. */
    @Override
    public void visitInvokeDynamicInsn(
        String name, String descriptor, Handle bootstrap, Object... arguments) {
      Object[] replaced = arguments.clone();
      for (int i = 0; i < replaced.length; i++) {
        if (replaced[i] instanceof Handle handle) {
          String[] call = CALLED.get(handle.getOwner() + "." + handle.getName() + handle.getDesc());
          replaced[i] =
              call == null
                  ? handle
                  : new Handle(Opcodes.H_INVOKESTATIC, CALLS, call[0], call[1], false);
        }
      }
      super.visitInvokeDynamicInsn(name, descriptor, bootstrap, replaced);
    }

    @Override
    public void visitLdcInsn(Object value) {
      boolean isQueue = rewritten.equals(POOL) && value.equals(1 << 17);
      boolean isManifest = rewritten.equals(STORED_TEXT) && value.equals(16 << 20);
      Object smaller = value.equals(1 << 18) ? (Object) TRANSACTION_WINDOW : value;
      Object smallest = isManifest ? (Object) MANIFEST_BYTES : smaller;
      super.visitLdcInsn(isQueue ? (Object) QUEUED_TASKS : smallest);
    }

    private void pushResult(Type type, int result) {
      switch (type.getSort()) {
        case Type.VOID -> {}
        case Type.LONG ->
            super.visitInsn(result == Opcodes.ICONST_0 ? Opcodes.LCONST_0 : Opcodes.LCONST_1);
        case Type.ARRAY, Type.OBJECT -> super.visitInsn(Opcodes.ACONST_NULL);
        default -> super.visitInsn(result);
      }
    }
  }
}
