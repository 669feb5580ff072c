package render

import (
	"embed"
	"fmt"
	"path"
	"strings"

	"github.com/go-gl/gl/v4.1-core/gl"
)

//go:embed shaders/*.glsl
var shaderFiles embed.FS

// source reads a shader, puts the files it includes in their places and the
// defines behind the version line. An include is a line of the form
// #include "name.glsl"; line numbers in the driver's messages are those of the
// named files, the file's number being its place in the returned list.
func source(name string, defines []string) (text string, files []string, err error) {
	var b strings.Builder
	b.WriteString("#version 410 core\n")
	for _, d := range defines {
		fmt.Fprintf(&b, "#define %s\n", d)
	}
	if err := include(&b, name, &files); err != nil {
		return "", nil, err
	}
	return b.String(), files, nil
}

func include(b *strings.Builder, name string, files *[]string) error {
	for _, f := range *files {
		if f == name {
			return nil // once is enough
		}
	}
	text, err := shaderFiles.ReadFile(path.Join("shaders", name))
	if err != nil {
		return fmt.Errorf("shader %s: %w", name, err)
	}
	number := len(*files)
	*files = append(*files, name)
	fmt.Fprintf(b, "#line 1 %d\n", number)
	for i, line := range strings.Split(string(text), "\n") {
		rest, ok := strings.CutPrefix(line, "#include ")
		if !ok {
			b.WriteString(line)
			b.WriteByte('\n')
			continue
		}
		if err := include(b, strings.Trim(strings.TrimSpace(rest), `"`), files); err != nil {
			return err
		}
		fmt.Fprintf(b, "#line %d %d\n", i+2, number)
	}
	return nil
}

// recipe says what a program is made of.
type recipe struct {
	vertex, fragment string   // files in shaders/
	defines          []string // "NAME" or "NAME value"
}

func (r recipe) String() string {
	s := r.vertex + " + " + r.fragment
	if len(r.defines) > 0 {
		s += " (" + strings.Join(r.defines, ", ") + ")"
	}
	return s
}

// build compiles and links. On an error everything is deleted and every log is in
// the message.
func (r recipe) build() (uint32, error) {
	var logs []string
	program := gl.CreateProgram()
	for _, stage := range [2]struct {
		kind uint32
		file string
	}{{gl.VERTEX_SHADER, r.vertex}, {gl.FRAGMENT_SHADER, r.fragment}} {
		text, files, err := source(stage.file, r.defines)
		if err != nil {
			gl.DeleteProgram(program)
			return 0, err
		}
		shader := gl.CreateShader(stage.kind)
		c, free := gl.Strs(text + "\x00")
		gl.ShaderSource(shader, 1, c, nil)
		free()
		gl.CompileShader(shader)
		var ok int32
		if gl.GetShaderiv(shader, gl.COMPILE_STATUS, &ok); ok == gl.FALSE {
			logs = append(logs, fmt.Sprintf("%s (files %s): %s", stage.file, strings.Join(files, ", "),
				infoLog(shader, gl.GetShaderiv, gl.GetShaderInfoLog)))
		}
		gl.AttachShader(program, shader)
		gl.DeleteShader(shader) // goes with the program
	}
	if logs == nil {
		gl.LinkProgram(program)
		var ok int32
		if gl.GetProgramiv(program, gl.LINK_STATUS, &ok); ok == gl.FALSE {
			logs = append(logs, "link: "+infoLog(program, gl.GetProgramiv, gl.GetProgramInfoLog))
		}
	}
	if logs != nil {
		gl.DeleteProgram(program)
		return 0, fmt.Errorf("shader program %v: %s", r, strings.Join(logs, "\n"))
	}
	return program, nil
}

func infoLog(name uint32, get func(uint32, uint32, *int32), read func(uint32, int32, *int32, *uint8)) string {
	var n int32
	get(name, gl.INFO_LOG_LENGTH, &n)
	if n < 1 {
		return "no message"
	}
	text := make([]byte, n)
	read(name, n, &n, &text[0])
	return strings.TrimSpace(string(text[:n]))
}

// uniform finds a uniform of a program; −1, which OpenGL ignores, when the program
// does not use it.
func uniform(program uint32, name string) int32 {
	return gl.GetUniformLocation(program, gl.Str(name+"\x00"))
}
