# Runs tpws, with the service's settings: tpws doctor, tpws import C:\centers.csv. install.ps1 puts it on the path. Run it as Administrator.
# It runs in the data folder, so specify files by their full paths.
# This script has not been run on Windows; docs/operators/windows.md says what was tested.
[CmdletBinding(PositionalBinding = $false)]
param(
  [Parameter(Mandatory, Position = 0)][string]$Command,
  [string]$Program = 'C:\Program Files\TPWebServices',
  [string]$Data = 'C:\ProgramData\TPWebServices',
  [Parameter(ValueFromRemainingArguments)][string[]]$Arguments
)
$ErrorActionPreference = 'Stop'

# XmlDocument reads the encoding from the XML declaration; Get-Content of Windows PowerShell 5.1 would not read the file as UTF-8.
$definition = New-Object System.Xml.XmlDocument
$definition.Load("$Data\service\tpwebservices.xml")
$node = $definition.SelectSingleNode('/service/executable').InnerText
$before = @{}
Push-Location $Data
try {
  # Not the folder of compiled code: the service can write there, and its code must not run with an administrator's rights.
  foreach ($setting in $definition.SelectNodes('/service/env[@name != "NODE_COMPILE_CACHE"]')) {
    $name = $setting.GetAttribute('name')
    $before[$name] = [Environment]::GetEnvironmentVariable($name)
    # WinSW expands variables in the same way.
    $value = [Environment]::ExpandEnvironmentVariables($setting.GetAttribute('value'))
    [Environment]::SetEnvironmentVariable($name, $value)
  }
  # If the output is redirected to a file, Windows PowerShell 5.1 treats the first line on standard error as its own error.
  $ErrorActionPreference = 'Continue'
  & $node '--max-semi-space-size=8' "$Program\src\tpws.js" $Command @Arguments
} finally {
  # Environment variables apply to the whole PowerShell session: a setting that is removed from the file must not remain set there.
  foreach ($name in $before.Keys) { [Environment]::SetEnvironmentVariable($name, $before[$name]) }
  Pop-Location
}
exit $LASTEXITCODE
